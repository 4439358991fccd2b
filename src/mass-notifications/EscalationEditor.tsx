import AddRounded from '@mui/icons-material/AddRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import IconButton from '@mui/material/IconButton'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useId } from 'react'

import { SMS_OFF } from '#contract/mass-notifications/schema.ts'
import { planProblems } from '#contract/notification-escalations/rules.ts'
import {
  ESCALATION_CHANNELS,
  ESCALATION_TARGETS,
  EscalationPlan,
  type EscalationStep,
  MINUTES_MAX,
  ROUNDS_MAX,
  STEPS_MAX,
} from '#contract/notification-escalations/schema.ts'
import { escalations as words } from '#providers/i18n/escalations.ts'

import { MinutesField } from './MinutesField.tsx'
import { useOfferedTypes, useQuota } from './queries.ts'

interface StepProps {
  step: EscalationStep
  number: number
  problems: ReadonlyMap<string, string>
  isOnly: boolean
  onChange: (changes: Partial<EscalationStep>) => void
  onRemove: () => void
}

/** Selects of a step: beside one another where their words fit. */
const SELECT = { flex: { xs: '1 1 140px', sm: '1 1 0' }, width: 'auto', minWidth: 0 } as const

function StepRow({ step, number, problems, isOnly, onChange, onRemove }: StepProps) {
  const problemOf = (field: keyof EscalationStep) => problems.get(`steps.${number - 1}.${field}`)
  const problem = problemOf('afterMinutes') ?? problemOf('by')
  return (
    <Box component="li">
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: {
            xs: 'auto 88px minmax(0, 1fr) 44px',
            sm: 'auto 88px auto minmax(0, 1fr) 44px',
          },
          gap: 1,
          alignItems: 'center',
        }}
      >
        <span>{words.after}</span>
        <MinutesField
          value={step.afterMinutes}
          label={words.afterOf(number)}
          isWrong={problemOf('afterMinutes') !== undefined}
          onChange={(afterMinutes) => onChange({ afterMinutes })}
        />
        <span>{words.minutes}</span>
        <Box
          sx={{
            gridColumn: { xs: '1 / -1', sm: 'auto' },
            display: 'flex',
            flexWrap: { xs: 'wrap', sm: 'nowrap' },
            gap: 1,
          }}
        >
          <TextField
            select
            size="small"
            value={step.to}
            onChange={(event) => onChange({ to: event.target.value as EscalationStep['to'] })}
            slotProps={{ htmlInput: { 'aria-label': words.toOf(number) } }}
            sx={SELECT}
          >
            {ESCALATION_TARGETS.map((to) => (
              <MenuItem key={to} value={to}>
                {words.to[to]}
              </MenuItem>
            ))}
          </TextField>
          <TextField
            select
            size="small"
            value={step.by}
            error={problemOf('by') !== undefined}
            onChange={(event) => onChange({ by: event.target.value as EscalationStep['by'] })}
            slotProps={{ htmlInput: { 'aria-label': words.byOf(number) } }}
            sx={SELECT}
          >
            {ESCALATION_CHANNELS.map((by) => (
              <MenuItem key={by} value={by}>
                {words.by[by]}
              </MenuItem>
            ))}
          </TextField>
        </Box>
        <IconButton
          aria-label={words.removeStep(number)}
          disabled={isOnly}
          onClick={onRemove}
          sx={{ gridRow: 1, gridColumn: { xs: 4, sm: 5 } }}
        >
          <CloseRounded />
        </IconButton>
      </Box>
      {problem !== undefined && <FormHelperText error>{problem}</FormHelperText>}
    </Box>
  )
}

interface Props {
  value: EscalationPlan
  onChange: (plan: EscalationPlan | null) => void
  /** Shows problems of fields that are still empty, too. */
  isChecked: boolean
}

/** The steps, rounds and pause of an escalation. */
export function EscalationEditor({ value, onChange, isChecked }: Props) {
  const id = useId()
  const offered = useOfferedTypes()
  const takesKeys = useQuota().data?.takesKeys ?? false
  const { steps, rounds, pauseMinutes } = value
  const problems = new Map(
    Object.entries(planProblems(value, (by) => offered.includes(by), takesKeys, SMS_OFF)),
  )
  for (const { path, message } of EscalationPlan.safeParse(value).error?.issues ?? [])
    problems.set(path.join('.'), message)
  // A field that was just emptied is not wrong yet.
  if (!isChecked)
    for (const [n, { afterMinutes }] of steps.entries())
      if (afterMinutes === 0) problems.delete(`steps.${n}.afterMinutes`)
  const set = (at: number, changes: Partial<EscalationStep>) =>
    onChange({ ...value, steps: steps.map((step, n) => (n === at ? { ...step, ...changes } : step)) })
  const add = () => {
    const last = steps.at(-1)!
    const afterMinutes = Math.min(MINUTES_MAX, last.afterMinutes + 5)
    onChange({ ...value, steps: [...steps, { ...last, afterMinutes }] })
  }
  return (
    <Box role="group" aria-labelledby={id}>
      <Box sx={{ display: 'flex', alignItems: 'center', minHeight: 32 }}>
        <Box id={id} sx={{ flex: 1, fontWeight: 600 }}>
          {words.title}
        </Box>
        <Button size="small" color="inherit" onClick={() => onChange(null)}>
          {words.remove}
        </Button>
      </Box>
      <Box sx={{ mb: 1, fontSize: '0.8125rem', color: 'text.secondary' }}>{words.help}</Box>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1.5 }}>
        {steps.map((step, n) => (
          <StepRow
            // oxlint-disable-next-line react/no-array-index-key -- steps are known by their order
            key={n}
            step={step}
            number={n + 1}
            problems={problems}
            isOnly={steps.length === 1}
            onChange={(changes) => set(n, changes)}
            onRemove={() => onChange({ ...value, steps: steps.filter((_, at) => at !== n) })}
          />
        ))}
      </Box>
      {steps.length < STEPS_MAX && (
        <Button
          size="small"
          startIcon={<AddRounded />}
          onClick={add}
          sx={{ mt: 1, minHeight: { xs: 44, sm: 32 } }}
        >
          {words.addStep}
        </Button>
      )}
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 200px))' },
          alignItems: 'start',
          gap: 2,
          mt: 1.5,
        }}
      >
        <TextField
          select
          size="small"
          label={words.rounds}
          value={rounds}
          onChange={(event) => onChange({ ...value, rounds: Number(event.target.value) })}
        >
          {Array.from({ length: ROUNDS_MAX }, (_, n) => (
            <MenuItem key={n + 1} value={n + 1}>
              {words.roundsOf(n + 1)}
            </MenuItem>
          ))}
        </TextField>
        {rounds > 1 && (
          <MinutesField
            value={pauseMinutes}
            visibleLabel={words.pause}
            isWrong={problems.has('pauseMinutes')}
            help={problems.get('pauseMinutes')}
            onChange={(minutes) => onChange({ ...value, pauseMinutes: minutes })}
          />
        )}
      </Box>
    </Box>
  )
}
