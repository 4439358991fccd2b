import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState } from 'react-admin'
import { useState } from 'react'

import { Awaiting, isAwaiting } from '#src/kit/feedback/Awaiting.tsx'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { byBack } from '#src/kit/browser/navigation.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'
import { useCategories } from '../useCategories.ts'
import { RequestUpgrade } from '#src/features/RequestUpgrade.tsx'
import { useConfigQuery } from '#src/config/useConfig.ts'

import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { AssignColumns } from './AssignColumns.tsx'
import { ImportCard } from './ImportCard.tsx'
import { ImportSource } from './ImportSource.tsx'
import type { CreatedPlaybook } from './importValues.ts'
import { JobProgress } from './JobProgress.tsx'
import { usePlaybookPage } from './queries.ts'
import { type ImportState, useImport } from './useImport.ts'

interface OpenProps {
  onClose: () => void
  onCreated: (created: readonly CreatedPlaybook[]) => void
  onUndone: (ids: readonly string[]) => void
}

/** Data that an import is validated by: categories, limits, and the number of playbooks. */
function useLimits() {
  const categories = useCategories()
  const config = useConfigQuery()
  const known = usePlaybookPage({}, 1, 1)
  const { playbookMaxTemplates: most = 0, maxActivitiesPerPlaybook: maxActivities = 0 } = config.data ?? {}
  return {
    queries: [categories, config, known],
    categories: categories.data ?? [],
    maxActivities,
    room: Math.max(0, most - (known.data?.total ?? 0)),
  }
}
type Limits = ReturnType<typeof useLimits>

/** Warns if more was read than the organisation can keep. */
function RoomNotice({ state: { entries, ready }, room }: { state: ImportState; room: number }) {
  const text = useText()
  const [locale] = useLocaleState()
  const read = entries.filter(({ created }) => created === null).length
  if (read <= room) return null
  const number = (value: number) => formatNumber(locale, value)
  return (
    <Alert severity={ready.length > room ? 'error' : 'info'}>
      {text('playbookDialogs.roomFor', { read: number(read), room: number(room) })}{' '}
      <RequestUpgrade feature="MORE_PLAYBOOKS">{text('playbookDialogs.increaseLimit')}</RequestUpgrade>
    </Alert>
  )
}

interface ContentProps {
  state: ImportState
  limits: Limits
  pasted: string
  onPaste: (pasted: string) => void
}

function Content({ state, limits, pasted, onPaste }: ContentProps) {
  const text = useText()
  const { entries, tables, refused, isReading, add, change, replace, dismiss, busy, progress } = state
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
      <ImportSource
        pasted={pasted}
        onPaste={onPaste}
        isReading={isReading}
        disabled={busy}
        refused={refused}
        onDismiss={dismiss}
        onAdd={(sources) => void add(sources)}
      />
      <RoomNotice state={state} room={limits.room} />
      {busy && (
        <JobProgress
          text={text('playbookDialogs.importing', progress)}
          label={text('playbookDialogs.importProgress')}
          value={(100 * progress.done) / progress.count}
        />
      )}
      {entries.length + tables.length > 0 && (
        <Box
          component="ul"
          aria-label={text('playbookDialogs.readPlaybooks')}
          sx={{
            display: 'grid',
            gridTemplateColumns: 'minmax(0, 1fr)',
            gap: 1.5,
            m: 0,
            p: 0,
            listStyle: 'none',
          }}
        >
          {tables.map((entry) => (
            <AssignColumns
              key={entry.key}
              entry={entry}
              disabled={busy || isReading}
              onRead={(one, columns) => void state.readTable(one, columns)}
              onDismiss={state.dismissTable}
            />
          ))}
          {entries.map((entry) => (
            <ImportCard
              key={entry.key}
              entry={entry}
              categories={limits.categories}
              max={limits.maxActivities}
              disabled={busy}
              onChange={change}
              onReplace={replace}
            />
          ))}
        </Box>
      )}
    </Box>
  )
}

function OpenDialog({ onClose, onCreated, onUndone }: OpenProps) {
  const text = useText()
  const limits = useLimits()
  const [pasted, setPasted] = useState('')
  const { room, categories, maxActivities } = limits
  const finish = () => {
    letGo()
    onClose()
  }
  const state = useImport({ categories, room, maxActivities, onCreated, onUndone, onClose: finish })
  const { entries, tables, pending, ready, created, busy, submit } = state
  const isUnsaved =
    pasted.trim() !== '' || tables.length > 0 || entries.some((entry) => entry.created === null)
  const { guard, letGo, leave } = useLeaveGuard(isUnsaved, {
    leaves: byBack,
    question: 'playbookDialogs.discardImport',
    stay: 'grid.keepEditing',
  })
  const isReady = ready.length > 0 && ready.length <= room
  // Without any that is ready, the button says what it waits for.
  const count = ready.length || pending.length
  const close = () => {
    if (busy) return
    leave(() => {
      if (created.length > 0) onCreated(created)
      onClose()
    })
  }
  return (
    <>
      <DialogFrame
        title={text('playbookDialogs.importTitle')}
        isTall
        onClose={close}
        actions={
          <>
            <Button color="inherit" disabled={busy} onClick={close}>
              {text(created.length > 0 ? 'kit.close' : 'kit.cancel')}
            </Button>
            <Button variant="contained" disabled={!isReady} loading={busy} onClick={submit}>
              {count > 0
                ? text('playbookDialogs.import', { smart_count: count })
                : text('playbookDialogs.importNone')}
            </Button>
          </>
        }
      >
        {isAwaiting(limits.queries) ? (
          <Awaiting queries={limits.queries} height={320} />
        ) : (
          <Content state={state} limits={limits} pasted={pasted} onPaste={setPasted} />
        )}
      </DialogFrame>
      {guard}
    </>
  )
}

interface Props extends OpenProps {
  open: boolean
}

/**
 * Creates playbooks from files: Markdown, JSON, tables and CACAO. Shows the contents and exceeded limits before
 * anything is saved.
 */
export const ImportDialog = ({ open, ...props }: Props) => open && <OpenDialog {...props} />
