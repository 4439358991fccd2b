import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import EditRounded from '@mui/icons-material/EditRounded'
import HistoryRounded from '@mui/icons-material/HistoryRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { type ReactNode, useId, useState } from 'react'

import { ConfirmDialog } from '#src/kit/ConfirmDialog.tsx'
import { PlainText } from '#src/kit/PlainText.tsx'
import { useText } from '#src/kit/useText.ts'

import { ActivityHistory } from './ActivityHistory.tsx'
import { triggerOf, useOpenForm } from './OpenForm.tsx'
import { useRemoveActivity } from './queries.ts'

/** Where the focus goes when what had it is deleted. */
export const FEED_ID = 'activity-feed'

interface Props {
  incidentId: string
  activity: {
    readonly id: string
    readonly description: string
    readonly canEdit: boolean
    readonly canDelete: boolean
  }
  kind: 'task' | 'update'
  /** What it is called; its text when it has no title. */
  title?: string
  /** Stands between the buttons and the history. */
  children?: ReactNode
}

/** What can be done to a task or an update: edit, delete, read its history, which opens below. */
export function ActivityActions({ incidentId, activity, kind, title, children }: Props) {
  const text = useText()
  const historyId = useId()
  const { request } = useOpenForm()
  const [history, setHistory] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const remove = useRemoveActivity(incidentId)
  const edit = `edit ${activity.id}` as const
  // The browser's own tooltips: the library's are too heavy for a long list.
  const named = (action: 'edit' | 'delete' | 'history') => {
    const label = text(`incidents.${action}.${kind}`)
    return { 'aria-label': label, title: label, size: 'small', color: 'inherit' } as const
  }
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, height: 30, color: 'text.secondary' }}>
        <IconButton
          {...named('history')}
          aria-expanded={history}
          aria-controls={history ? historyId : undefined}
          onClick={() => setHistory(!history)}
        >
          <HistoryRounded />
        </IconButton>
        {activity.canEdit && (
          <IconButton {...named('edit')} id={triggerOf(edit)} onClick={() => request(edit)}>
            <EditRounded />
          </IconButton>
        )}
        {activity.canDelete && (
          <IconButton {...named('delete')} onClick={() => setDeleting(true)}>
            <DeleteOutlineRounded />
          </IconButton>
        )}
      </Box>
      {children}
      {history && (
        <Box id={historyId} data-part="history">
          <ActivityHistory incidentId={incidentId} id={activity.id} />
        </Box>
      )}
      {deleting && (
        <ConfirmDialog
          open
          title={text(`incidents.deleteTitle.${kind}`)}
          submitLabel={text('incidents.deleteSubmit')}
          destructive
          text={text(`incidents.deleteText.${kind}`)}
          onSubmit={async () => {
            await remove.mutateAsync(activity.id)
            requestAnimationFrame(() => document.getElementById(FEED_ID)?.focus())
          }}
          onClose={() => setDeleting(false)}
        >
          <Box sx={{ mt: 1.5, fontWeight: 600 }}>
            <PlainText text={title || activity.description} rows={3} />
          </Box>
        </ConfirmDialog>
      )}
    </>
  )
}
