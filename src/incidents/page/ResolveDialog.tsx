import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import TextField from '@mui/material/TextField'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { isIncomplete } from '#contract/incidents/rules.ts'
import { type Incident, OPEN_TASKS, type OpenTasks, REASON_MAX } from '#contract/incidents/schema.ts'
import { MEDIUM_TEXT_MAX } from '#contract/kit/text.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { useUpdateIncident } from '../queries.ts'

interface ChoiceProps {
  value: OpenTasks
  onChange: (value: OpenTasks) => void
  reason: string
  onReason: (reason: string) => void
}

/** The fate of the open tasks, with the reason. */
function OpenTasksChoice({ value, onChange, reason, onReason }: ChoiceProps) {
  const text = useText()
  const id = useId()
  return (
    <Box sx={{ mt: 2, display: 'grid', gap: 1.5 }}>
      <div>
        <FormLabel id={id}>{text('incidents.openTasksQuestion')}</FormLabel>
        <RadioGroup aria-labelledby={id} value={value} onChange={(_, next) => onChange(next as OpenTasks)}>
          {OPEN_TASKS.map((one) => (
            <FormControlLabel
              key={one}
              value={one}
              control={<Radio />}
              label={text(`incidents.openTasksChoices.${one}`)}
            />
          ))}
        </RadioGroup>
      </div>
      <TextField
        label={text('incidents.openTasksReason')}
        helperText={text('incidents.openTasksReasonHelp')}
        value={reason}
        onChange={(event) => onReason(event.target.value)}
        multiline
        maxRows={6}
        slotProps={{ htmlInput: { maxLength: MEDIUM_TEXT_MAX, dir: 'auto' } }}
      />
    </Box>
  )
}

interface OutcomeProps {
  isFalseAlarm: boolean
  onChange: (isFalseAlarm: boolean) => void
  reason: string
  onReason: (reason: string) => void
}

/** Asks if there was an incident at all. */
function OutcomeChoice({ isFalseAlarm, onChange, reason, onReason }: OutcomeProps) {
  const text = useText()
  const id = useId()
  return (
    <Box sx={{ mt: 2, display: 'grid', gap: 1.5 }}>
      <div>
        <FormLabel id={id}>{text('incidents.outcomeQuestion')}</FormLabel>
        <RadioGroup
          aria-labelledby={id}
          value={isFalseAlarm ? 'FALSE_ALARM' : 'HANDLED'}
          onChange={(_, next) => onChange(next === 'FALSE_ALARM')}
        >
          {(['HANDLED', 'FALSE_ALARM'] as const).map((one) => (
            <FormControlLabel
              key={one}
              value={one}
              control={<Radio />}
              label={text(`incidents.outcomeChoices.${one}`)}
            />
          ))}
        </RadioGroup>
      </div>
      {isFalseAlarm && (
        <TextField
          required
          label={text('incidents.outcomeReason')}
          helperText={text('incidents.openTasksReasonHelp')}
          value={reason}
          onChange={(event) => onReason(event.target.value)}
          multiline
          maxRows={6}
          slotProps={{ htmlInput: { maxLength: REASON_MAX, dir: 'auto' } }}
        />
      )}
    </Box>
  )
}

/**
 * Resolves an incident after a confirmation that asks about its open tasks, and goes on to the analysis, which a
 * false alarm does without.
 */
export function ResolveDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const text = useText()
  const navigate = useNavigate()
  const update = useUpdateIncident(incident.id)
  const [openTasks, setOpenTasks] = useState<OpenTasks>('LEFT_OPEN')
  const [openTasksReason, setReason] = useState('')
  const [isFalseAlarm, setFalseAlarm] = useState(false)
  const [outcomeReason, setOutcomeReason] = useState('')
  const open = incident.activities.filter(isIncomplete).length
  const resolve = async () => {
    await update.mutateAsync({
      isActive: false,
      ...(open > 0 && { openTasks, openTasksReason }),
      ...(isFalseAlarm && { outcome: 'FALSE_ALARM', outcomeReason }),
    })
    if (!isFalseAlarm) void navigate(`/incidents/${incident.id}/post-incident-analysis`)
  }
  return (
    <ConfirmDialog
      open
      title={text(incident.isTabletop ? 'incidents.resolveExerciseTitle' : 'incidents.resolveTitle')}
      text={
        <>
          {text('incidents.resolveText', { title: incident.title })}
          {open > 0 && ` ${text('incidents.resolveOpen', { smart_count: open })}`}
        </>
      }
      submitLabel={text('incidents.resolve')}
      disabled={isFalseAlarm && outcomeReason.trim() === ''}
      onSubmit={resolve}
      onClose={onClose}
    >
      {!incident.isTabletop && (
        <OutcomeChoice
          isFalseAlarm={isFalseAlarm}
          onChange={setFalseAlarm}
          reason={outcomeReason}
          onReason={setOutcomeReason}
        />
      )}
      {open > 0 && (
        <OpenTasksChoice
          value={openTasks}
          onChange={setOpenTasks}
          reason={openTasksReason}
          onReason={setReason}
        />
      )}
    </ConfirmDialog>
  )
}
