import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import EditRounded from '@mui/icons-material/EditRounded'
import HistoryRounded from '@mui/icons-material/HistoryRounded'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import Box from '@mui/material/Box'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Skeleton from '@mui/material/Skeleton'
import type { SystemStyleObject } from '@mui/system'
import { type ReactElement, type ReactNode, Suspense, useId, useState } from 'react'

import { lazy } from '#src/kit/browser/lazy.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { useText } from '#src/kit/useText.ts'

import { triggerOf, useOpenForm } from '../form/OpenForm.tsx'
import { useRemoveActivity } from '../queries.ts'

const ActivityHistory = lazy(async () => ({
  default: (await import('./ActivityHistory.tsx')).ActivityHistory,
}))

const AskConfirmation = lazy(async () => ({
  default: (await import('./AskConfirmation.tsx')).AskConfirmation,
}))

/** Receives the focus when the focused activity is deleted. */
export const FEED_ID = 'activity-feed'

interface Named {
  incidentId: string
  activity: {
    readonly id: string
    readonly description: string
    readonly canEdit: boolean
    readonly canDelete: boolean
  }
  kind: 'task' | 'update'
  /** Title of the activity, or its text. */
  title?: string
}

function Deletion({ incidentId, activity, kind, title, onClose }: Named & { onClose: () => void }) {
  const text = useText()
  const remove = useRemoveActivity(incidentId)
  return (
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
      onClose={onClose}
    >
      <Box sx={{ mt: 1.5, fontWeight: 600 }}>
        <PlainText text={title || activity.description} rows={3} />
      </Box>
    </ConfirmDialog>
  )
}

/** Plain buttons: MUI's are too heavy for a long list. */
const bar: SystemStyleObject = {
  display: 'flex',
  gap: 0.25,
  height: { xs: 44, sm: 32 },
  color: 'text.secondary',
  '& button': {
    display: 'grid',
    placeItems: 'center',
    width: { xs: 44, sm: 32 },
    height: { xs: 44, sm: 32 },
    p: 0,
    border: 0,
    borderRadius: '6px',
    bgcolor: 'transparent',
    color: 'inherit',
    cursor: 'pointer',
    '&:hover': { bgcolor: 'action.hover' },
    '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main' },
  },
}

interface Acts {
  readonly onHistory: () => void
  readonly onEdit: () => void
  readonly onDelete: () => void
}

/** The actions on an update in one menu: updates are read more often than changed. */
function UpdateMenu({
  incidentId,
  activity,
  onHistory,
  onEdit,
  onDelete,
}: Pick<Named, 'activity' | 'incidentId'> & Acts) {
  const text = useText()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const close = () => setAnchor(null)
  const item = (label: string, icon: ReactElement, act: () => void) => (
    <MenuItem
      onClick={() => {
        close()
        act()
      }}
    >
      <ListItemIcon>{icon}</ListItemIcon>
      {label}
    </MenuItem>
  )
  return (
    <>
      <button
        type="button"
        id={triggerOf(`edit ${activity.id}`)}
        aria-label={text('incidents.updateActions')}
        title={text('incidents.updateActions')}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVertRounded />
      </button>
      {anchor && (
        <Menu open anchorEl={anchor} onClose={close}>
          {activity.canEdit && item(text('incidents.edit.update'), <EditRounded />, onEdit)}
          {item(text('incidents.history.update'), <HistoryRounded />, onHistory)}
          <Suspense>
            <AskConfirmation incidentId={incidentId} activityId={activity.id} onChoose={close} />
          </Suspense>
          {activity.canDelete && item(text('incidents.delete.update'), <DeleteOutlineRounded />, onDelete)}
        </Menu>
      )}
    </>
  )
}

/** Edit, delete and history of a task or an update. The history opens below. */
export function ActivityActions({ children, ...named }: Named & { children?: ReactNode }) {
  const { incidentId, activity, kind } = named
  const text = useText()
  const historyId = useId()
  const { request } = useOpenForm()
  const [history, setHistory] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const edit = `edit ${activity.id}` as const
  const acts: Acts = {
    onHistory: () => setHistory(!history),
    onEdit: () => request(edit),
    onDelete: () => setDeleting(true),
  }
  const called = (action: 'edit' | 'delete' | 'history') => {
    const label = text(`incidents.${action}.${kind}`)
    return { 'aria-label': label, title: label, type: 'button' } as const
  }
  return (
    <>
      <Box sx={bar}>
        {kind === 'update' ? (
          <UpdateMenu incidentId={incidentId} activity={activity} {...acts} />
        ) : (
          <>
            <button
              {...called('history')}
              aria-expanded={history}
              aria-controls={history ? historyId : undefined}
              onClick={acts.onHistory}
            >
              <HistoryRounded />
            </button>
            {activity.canEdit && (
              <button {...called('edit')} id={triggerOf(edit)} onClick={acts.onEdit}>
                <EditRounded />
              </button>
            )}
            {activity.canDelete && (
              <button {...called('delete')} onClick={acts.onDelete}>
                <DeleteOutlineRounded />
              </button>
            )}
          </>
        )}
      </Box>
      {children}
      {history && (
        <Box id={historyId} data-part="history">
          <Suspense fallback={<Skeleton role="status" height={72} aria-label={text('kit.loading')} />}>
            <ActivityHistory incidentId={incidentId} id={activity.id} />
          </Suspense>
        </Box>
      )}
      {deleting && <Deletion {...named} onClose={() => setDeleting(false)} />}
    </>
  )
}
