import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useNotify } from 'react-admin'

import { NEXT_UPDATE_PAST, type NextUpdate } from '#contract/incident-roles/schema.ts'
import { command as words } from '#providers/i18n/command.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { serverNow } from '#providers/serverClock.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { MomentField } from '#src/kit/form/MomentField.tsx'
import { localTime, momentOf } from '#src/kit/time/localTime.ts'
import { useText } from '#src/kit/useText.ts'

import { useCommandActs } from './queries.ts'

interface Props {
  incidentId: string
  next: NextUpdate
  onClose: () => void
}

/** Sets the time of the next update by hand, or returns to the rhythm of the severity. */
export function NextUpdateDialog({ incidentId, next, onClose }: Props) {
  const text = useText()
  const notify = useNotify()
  const { setNextUpdate } = useCommandActs(incidentId)
  const [base] = useState(next)
  const [value, setValue] = useState(localTime(base.dueTimestamp))
  const [problem, setProblem] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const save = async (dueTimestamp: string | null) => {
    setBusy(true)
    setRefusal(undefined)
    try {
      await setNextUpdate({ dueTimestamp, version: next.version })
      notify(dueTimestamp === null ? words.wasReset : words.wasSet, { type: 'success' })
      onClose()
    } catch (error) {
      const atField = error instanceof HttpProblem ? error.body.fields?.dueTimestamp : undefined
      setProblem(atField)
      if (atField === undefined) setRefusal(messageOf(error, text('kit.wentWrong')))
    } finally {
      setBusy(false)
    }
  }
  const submit = () => {
    const at = momentOf(value)
    if (at === null) return setProblem(words.chooseTime)
    if (Date.parse(at) <= serverNow()) return setProblem(NEXT_UPDATE_PAST)
    return void save(at)
  }
  return (
    <DialogFrame
      title={words.setTitle}
      lead={words.setLead}
      isShort
      onClose={busy ? () => undefined : onClose}
      actions={
        <>
          {base.setBy !== null && (
            <Button color="inherit" disabled={busy} onClick={() => void save(null)} sx={{ mr: 'auto' }}>
              {words.backToRhythm}
            </Button>
          )}
          <CancelButton onClick={onClose} disabled={busy} />
          <Button variant="contained" disabled={busy} onClick={submit}>
            {busy ? words.setting : words.set}
          </Button>
        </>
      }
    >
      <MomentField
        label={words.at}
        value={value}
        onChange={(typed) => {
          setValue(typed)
          setProblem(undefined)
        }}
        problem={problem}
        autoFocus
        required
        fullWidth
      />
      {refusal !== undefined && <Alert severity="error">{refusal}</Alert>}
    </DialogFrame>
  )
}
