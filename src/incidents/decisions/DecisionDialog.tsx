import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { type FormEvent, type ReactNode, useId } from 'react'

import { byBack } from '#src/kit/browser/navigation.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { SubmitButton } from '#src/kit/form/SubmitButton.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'

interface Props {
  title: string
  lead?: string
  submitLabel: string
  busyLabel: string
  /** True once something was typed, which closing would lose. */
  isChanged: boolean
  /** Saves; resolves to true once saved. */
  attempt: () => Promise<boolean>
  /** Problem of the last save that belongs to no field. */
  problem: string | undefined
  onClose: () => void
  children: ReactNode
}

/** A dialog about a decision: a form that closes once it is saved, and asks before it loses what was typed. */
export function DecisionDialog(props: Props) {
  const { title, lead, submitLabel, busyLabel, isChanged, attempt, problem, onClose, children } = props
  const formId = useId()
  const { guard, letGo, leave } = useLeaveGuard(isChanged, {
    leaves: byBack,
    question: 'grid.discardText',
    stay: 'grid.keepEditing',
  })
  const { busy, submit } = useSubmitOnce(async () => {
    if (!(await attempt())) return
    letGo()
    onClose()
  })
  const close = () => {
    if (!busy) leave(onClose)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
  }
  return (
    <>
      <DialogFrame
        title={title}
        {...(lead !== undefined && { lead })}
        maxWidth="sm"
        onClose={close}
        actions={
          <>
            <CancelButton onClick={close} disabled={busy} />
            <SubmitButton form={formId} label={submitLabel} busyLabel={busyLabel} busy={busy} />
          </>
        }
      >
        <Box
          component="form"
          id={formId}
          noValidate
          onSubmit={onSubmit}
          sx={{ display: 'grid', gap: 2, pt: 1 }}
        >
          {children}
          {problem !== undefined && <Alert severity="error">{problem}</Alert>}
        </Box>
      </DialogFrame>
      {guard}
    </>
  )
}
