import Box from '@mui/material/Box'
import TextField from '@mui/material/TextField'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'

import { roleKey } from '#contract/incidents/rules.ts'
import { CONDITION_ANSWERS, type ConditionAnswer } from '#contract/incidents/schema.ts'
import { MEDIUM_TEXT_MAX } from '#contract/kit/text.ts'
import { type Condition, conditionsOf, rolesOf } from '#contract/playbooks/rules.ts'
import type { PlaybookActivity } from '#contract/playbooks/schema.ts'
import { useText } from '#src/kit/useText.ts'
import { PersonPicker } from '#src/users/PersonPicker.tsx'

import type { PlaybookAnswers } from './answerValues.ts'

interface Props {
  activities: readonly PlaybookActivity[]
  value: PlaybookAnswers
  onChange: (answers: PlaybookAnswers) => void
}

function Group({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const id = useId()
  return (
    <Box component="section" aria-labelledby={id} sx={{ display: 'grid', gap: 1.5 }}>
      <div>
        <Typography id={id} variant="subtitle2" component="h2">
          {title}
        </Typography>
        <Typography color="textSecondary">{lead}</Typography>
      </div>
      {children}
    </Box>
  )
}

/** Yes, No or Later, in the order in which people ask. */
const ORDER: readonly ConditionAnswer[] = ['APPLIES', 'SKIPPED', 'OPEN']
interface QuestionProps {
  condition: Condition
  value: { readonly answer: ConditionAnswer; readonly reason: string }
  onChange: (value: { answer: ConditionAnswer; reason: string }) => void
}

function Question({ condition: { title, condition }, value, onChange }: QuestionProps) {
  const text = useText()
  const id = useId()
  return (
    <Box sx={{ display: 'grid', gap: 1, p: 1.5, border: 1, borderColor: 'divider', borderRadius: 1 }}>
      <Box
        sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 1, minWidth: 0 }}
      >
        <Box id={id} sx={{ flex: '1 1 260px', minWidth: 0, overflowWrap: 'anywhere' }}>
          <Box dir="auto" sx={{ fontWeight: 600 }}>
            {text('incidents.onlyIf', { condition })}
          </Box>
          <Box dir="auto" sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
            {title}
          </Box>
        </Box>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={value.answer}
          aria-labelledby={id}
          onChange={(_, answer: ConditionAnswer | null) => {
            if (answer) onChange({ ...value, answer })
          }}
        >
          {ORDER.map((answer) => (
            <ToggleButton
              key={answer}
              value={answer}
              sx={{ px: 2, minHeight: { xs: 44, sm: 0 }, textTransform: 'none' }}
            >
              {text(`incidents.conditionAnswers.${answer}`)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </Box>
      {value.answer === 'SKIPPED' && (
        <TextField
          size="small"
          label={text('incidents.skipReasonOptional')}
          value={value.reason}
          onChange={({ target }) => onChange({ ...value, reason: target.value })}
          slotProps={{ htmlInput: { dir: 'auto', maxLength: MEDIUM_TEXT_MAX } }}
        />
      )}
    </Box>
  )
}

const OPEN = { answer: CONDITION_ANSWERS[0], reason: '' }

/** The questions that a playbook asks: whether its conditions apply, and who has the titles of its tasks. */
export function PlaybookQuestions({ activities, value, onChange }: Props) {
  const text = useText()
  const conditions = conditionsOf({ activities: [...activities] })
  const titles = rolesOf(activities)
  if (conditions.length + titles.length === 0) return null
  return (
    <>
      {conditions.length > 0 && (
        <Group title={text('incidents.conditions')} lead={text('incidents.conditionsText')}>
          {conditions.map((condition) => (
            <Question
              key={condition.itemId}
              condition={condition}
              value={value.conditions[condition.itemId] ?? OPEN}
              onChange={(answer) =>
                onChange({ ...value, conditions: { ...value.conditions, [condition.itemId]: answer } })
              }
            />
          ))}
        </Group>
      )}
      {titles.length > 0 && (
        <Group title={text('incidents.roles')} lead={text('incidents.rolesText')}>
          <Box
            sx={{
              display: 'grid',
              gap: 2,
              gridTemplateColumns: 'repeat(auto-fill, minmax(min(280px, 100%), 1fr))',
            }}
          >
            {titles.map((title) => (
              <PersonPicker
                key={title}
                label={title}
                value={value.roles[roleKey(title)] ?? null}
                onChange={(email) =>
                  onChange({ ...value, roles: { ...value.roles, [roleKey(title)]: email } })
                }
                nobody={text('incidents.nobodyYet')}
                clearLabel={text('incidents.clearRole', { title })}
              />
            ))}
          </Box>
        </Group>
      )}
    </>
  )
}
