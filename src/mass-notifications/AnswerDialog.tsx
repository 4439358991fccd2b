import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import TextField from '@mui/material/TextField'
import { useNotify } from 'react-admin'
import { useState } from 'react'

import type { Respondent } from '#contract/mass-notifications/schema.ts'
import { type AskedQuestion, NOTE_MAX } from '#contract/notification-questions/schema.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { useAnswerOnBehalf } from './queries.ts'
import { ToneMark } from './ToneMark.tsx'

interface Props {
  notificationId: string
  question: AskedQuestion
  person: Respondent
  onClose: () => void
}

/** Enters the answer of a person who told it in another way, with how it is known. */
export function AnswerDialog({ notificationId, question, person, onClose }: Props) {
  const text = useText()
  const notify = useNotify()
  const { mutateAsync } = useAnswerOnBehalf(notificationId)
  const [answer, setAnswer] = useState<number | null>(
    question.answers.length === 1 ? 0 : (person.answers[0]?.answer ?? null),
  )
  const [reason, setReason] = useState('')
  const [note, setNote] = useState('')
  const name = person.name || person.email || person.phone || ''
  const save = async () => {
    if (answer === null) return
    await mutateAsync({ person: person.person, answer, reason, note })
    notify(text('massNotifications.entered'), { type: 'success' })
  }
  return (
    <ConfirmDialog
      open
      title={text('massNotifications.enterAnswerFor', { name })}
      submitLabel={text('massNotifications.enterAnswer')}
      disabled={answer === null || reason.trim() === ''}
      onSubmit={save}
      onClose={onClose}
    >
      <RadioGroup
        aria-label={text('massNotifications.answerLabel')}
        value={answer === null ? '' : String(answer)}
        onChange={(_, value) => setAnswer(Number(value))}
      >
        {question.answers.map(({ label, tone }, n) => (
          <FormControlLabel
            key={label}
            value={String(n)}
            control={<Radio />}
            label={<ToneMark tone={tone} label={label} />}
          />
        ))}
      </RadioGroup>
      <TextField
        label={text('massNotifications.reasonLabel')}
        required
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        helperText={text('massNotifications.reasonHelp')}
        fullWidth
        sx={{ mt: 2 }}
        slotProps={{ htmlInput: { dir: 'auto', maxLength: 1_000 } }}
      />
      <TextField
        label={text('massNotifications.noteLabel')}
        multiline
        minRows={2}
        value={note}
        onChange={(event) => setNote(event.target.value)}
        fullWidth
        sx={{ mt: 2 }}
        slotProps={{ htmlInput: { dir: 'auto', maxLength: NOTE_MAX } }}
      />
    </ConfirmDialog>
  )
}
