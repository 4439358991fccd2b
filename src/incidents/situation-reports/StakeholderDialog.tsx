import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { type FormEvent, useId, useState } from 'react'

import { SHORT_TEXT_MAX, SOMETHING_WENT_WRONG } from '#contract/kit/text.ts'
import { FOR_REQUIRED, type IssuedStakeholderLink } from '#contract/stakeholder-links/schema.ts'
import { situationReports } from '#providers/i18n/situation-reports.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { CopyField } from '#src/kit/form/CopyField.tsx'
import { SubmitButton } from '#src/kit/form/SubmitButton.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'

import { useStakeholderActs } from './queries.ts'

const words = situationReports.pages
const DAYS = [1, 3, 7, 14, 30, 90]

/** Address and passcode of a new page, which are shown once. */
function Issued({ link, onClose }: { link: IssuedStakeholderLink; onClose: () => void }) {
  return (
    <DialogFrame
      title={words.made}
      maxWidth="sm"
      onClose={onClose}
      actions={
        <Button variant="contained" onClick={onClose}>
          {words.done}
        </Button>
      }
    >
      <Box sx={{ display: 'grid', gap: 2, pt: 1 }}>
        <Alert severity="info">{words.madeText}</Alert>
        <CopyField label={words.address} copyLabel={words.copy(words.address)} value={link.address} />
        <CopyField label={words.passcode} copyLabel={words.copy(words.passcode)} value={link.passcode} />
      </Box>
    </DialogFrame>
  )
}

/** Makes a page for stakeholders. */
export function StakeholderDialog({ incidentId, onClose }: { incidentId: string; onClose: () => void }) {
  const formId = useId()
  const { make } = useStakeholderActs(incidentId)
  const [label, setLabel] = useState('')
  const [days, setDays] = useState(7)
  const [problems, setProblems] = useState<{ readonly [field: string]: string }>({})
  const [issued, setIssued] = useState<IssuedStakeholderLink>()
  const { busy, submit } = useSubmitOnce(async () => {
    if (label.trim() === '') return setProblems({ label: FOR_REQUIRED })
    setProblems({})
    try {
      setIssued(await make({ label, days }))
    } catch (error) {
      const fields = error instanceof HttpProblem ? error.body.fields : undefined
      setProblems(fields ?? { form: messageOf(error, SOMETHING_WENT_WRONG) })
    }
  })
  if (issued) return <Issued link={issued} onClose={onClose} />
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
  }
  return (
    <DialogFrame
      title={words.make}
      lead={words.lead}
      isShort
      onClose={() => {
        if (!busy) onClose()
      }}
      actions={
        <>
          <CancelButton onClick={onClose} disabled={busy} />
          <SubmitButton form={formId} label={words.make} busyLabel={words.making} busy={busy} />
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
        <TextField
          autoFocus
          label={words.label}
          value={label}
          onChange={({ target }) => setLabel(target.value)}
          error={problems['label'] !== undefined}
          helperText={problems['label']}
          slotProps={{ htmlInput: { dir: 'auto', maxLength: SHORT_TEXT_MAX, 'aria-required': true } }}
        />
        <TextField
          select
          label={words.days}
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
          error={problems['days'] !== undefined}
          helperText={problems['days']}
        >
          {DAYS.map((count) => (
            <MenuItem key={count} value={count}>
              {words.daysOf(count)}
            </MenuItem>
          ))}
        </TextField>
        {problems['form'] !== undefined && <Alert severity="error">{problems['form']}</Alert>}
      </Box>
    </DialogFrame>
  )
}
