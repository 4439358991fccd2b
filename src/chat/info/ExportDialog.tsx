import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import LinearProgress from '@mui/material/LinearProgress'
import { type ReactNode, useId, useState } from 'react'

import type { Room } from '#contract/chat/schema.ts'
import {
  END_BEFORE_START,
  END_REQUIRED,
  IN_THE_FUTURE,
  type RoomExport,
  START_AFTER_END,
  START_REQUIRED,
} from '#contract/room-exports/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { serverNow } from '#providers/serverClock.ts'
import { SubmitButton } from '#src/kit/form/SubmitButton.tsx'
import { MomentField } from '#src/kit/form/MomentField.tsx'
import { isDate } from '#src/kit/time/localTime.ts'
import { useText } from '#src/kit/useText.ts'

import { useExport } from './queries.ts'
import { titleOf } from '../titleValues.ts'
import { dayOf, endOf, exportDefaults, startOf } from './roomValues.ts'

interface Days {
  readonly start: string
  readonly end: string
}
type Problems = { readonly [field in keyof Days]?: string | undefined }

/** Errors of an export's dates (operations §5). ISO dates sort as text. */
function problemsOf({ start, end }: Days, today: string): Problems {
  const isReversed = isDate(start) && isDate(end) && start > end
  const problemOf = (day: string, required: string, reversed: string) => {
    if (!isDate(day)) return required
    if (day > today) return IN_THE_FUTURE
    return isReversed ? reversed : undefined
  }
  return {
    start: problemOf(start, START_REQUIRED, START_AFTER_END),
    end: problemOf(end, END_REQUIRED, END_BEFORE_START),
  }
}

interface FrameProps {
  title: string
  children: ReactNode
  action: ReactNode
  onClose: () => void
}

function Frame({ title, children, action, onClose }: FrameProps) {
  const text = useText()
  const titleId = useId()
  return (
    <Dialog open onClose={onClose} maxWidth="xs" aria-labelledby={titleId}>
      <DialogTitle id={titleId} dir="auto" sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      {children}
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {text('kit.close')}
        </Button>
        {action}
      </DialogActions>
    </Dialog>
  )
}

interface Props {
  room: Room
  onClose: () => void
}
type ExportState = ReturnType<typeof useExport>

/** Form for the dates of an export. */
function Request({ room, request, onClose }: Props & Pick<ExportState, 'request'>) {
  const text = useText()
  const formId = useId()
  const [days, setDays] = useState<Days>(() => exportDefaults(room, serverNow()))
  const today = dayOf(serverNow())
  const problems = problemsOf(days, today)
  const isWrong = problems.start !== undefined || problems.end !== undefined
  const submit = () => {
    if (isWrong || request.isPending) return
    request.mutate({
      id: room.id,
      type: room.type,
      messagesSince: new Date(startOf(days.start)).toISOString(),
      messagesUntil: new Date(Math.min(endOf(days.end), serverNow())).toISOString(),
    })
  }
  const field = (name: keyof Days, label: string) => {
    const problem = problems[name]
    return (
      <MomentField
        isDay
        label={label}
        value={days[name]}
        onChange={(day) => setDays({ ...days, [name]: day })}
        problem={problem}
        required
      />
    )
  }
  return (
    <Frame
      title={text('chatRooms.exportTitle', { name: titleOf(room) })}
      onClose={onClose}
      action={
        <SubmitButton
          form={formId}
          label={text('chatRooms.requestExport')}
          busyLabel={text('chatRooms.requesting')}
          busy={request.isPending}
        />
      }
    >
      <DialogContent>
        <Box sx={{ mb: 2, color: 'text.secondary' }}>{text('chatRooms.exportText')}</Box>
        <Box
          id={formId}
          component="form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
          sx={{ display: 'grid', gridTemplateColumns: { sm: '1fr 1fr' }, gap: 2, alignItems: 'start' }}
        >
          {field('start', text('chatRooms.startDate'))}
          {field('end', text('chatRooms.endDate'))}
        </Box>
        {request.error && (
          <Alert severity="error" sx={{ mt: 2 }}>
            {messageOf(request.error, text('kit.wentWrong'))}
          </Alert>
        )}
      </DialogContent>
    </Frame>
  )
}

/** Progress of an export, and its file. */
function Progress({ room, made, state, onClose }: Props & { made: RoomExport; state: ExportState }) {
  const text = useText()
  const { isLost, isGone, download, downloadProblem, forget } = state
  const isFailed = made.state === 'FAILED' || isGone
  return (
    <Frame
      title={text('chatRooms.exportTitle', { name: titleOf(room) })}
      onClose={onClose}
      action={
        <>
          {(isFailed || made.state === 'READY') && (
            <Button color="inherit" onClick={forget}>
              {text('chatRooms.exportAnother')}
            </Button>
          )}
          {made.state === 'READY' && !isGone && (
            <Button variant="contained" loading={download.isPending} onClick={() => download.mutate(made.id)}>
              {text('chatRooms.download')}
            </Button>
          )}
        </>
      }
    >
      <DialogContent>
        <Box aria-live="polite">
          {isFailed && <Alert severity="error">{text('chatRooms.exportFailed')}</Alert>}
          {!isFailed && text(made.state === 'READY' ? 'chatRooms.exportReady' : 'chatRooms.exporting')}
        </Box>
        {!isFailed && (
          <LinearProgress
            variant="determinate"
            value={made.state === 'READY' ? 100 : made.progress}
            aria-label={text('chatRooms.exportProgress')}
            sx={{ mt: 2, height: 6, borderRadius: 1 }}
          />
        )}
        {isLost && (
          <Alert severity="warning" sx={{ mt: 2 }}>
            {text('chatRooms.exportLost')}
          </Alert>
        )}
        {downloadProblem !== undefined && (
          <Alert severity="error" sx={{ mt: 2 }}>
            {downloadProblem}
          </Alert>
        )}
      </DialogContent>
    </Frame>
  )
}

/**
 * Exports the messages of a period (operations §5 "Chat export"). The export continues while the dialog is
 * closed, and reappears here.
 */
export function ExportDialog({ room, onClose }: Props) {
  const state = useExport(room.id)
  return state.made ? (
    <Progress room={room} made={state.made} state={state} onClose={onClose} />
  ) : (
    <Request room={room} request={state.request} onClose={onClose} />
  )
}
