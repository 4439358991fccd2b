import CallSplitRounded from '@mui/icons-material/CallSplitRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Suspense, useState } from 'react'

import { incidentPlaybooksApi } from '#contract/incident-playbooks/api.ts'
import type { IncidentCondition } from '#contract/incident-playbooks/schema.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

import { useDecide } from './queries.ts'

const SkipDialog = lazy(async () => ({ default: (await import('./SkipDialog.tsx')).SkipDialog }))

interface Props {
  incidentId: string
  condition: IncidentCondition
  /** True while the incident can change. */
  isActive: boolean
}

/** The condition of a heading, with its two answers while it has none. */
export function ConditionBar({ incidentId, condition, isActive }: Props) {
  const text = useText()
  const decide = useDecide(incidentId)
  const [isSkipping, setSkipping] = useState(false)
  const canDecide = useCan()(incidentPlaybooksApi.decide.access) && isActive
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, color: 'text.primary' }}>
      <CallSplitRounded sx={{ fontSize: 18, color: 'text.secondary' }} />
      <Box component="span" dir="auto" sx={{ flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' }}>
        {text('incidents.onlyIf', { condition: condition.condition })}
      </Box>
      {canDecide && condition.answer === 'OPEN' && (
        <Button
          size="small"
          variant="outlined"
          loading={decide.isPending}
          onClick={() => decide.mutate({ id: condition.id, answer: 'APPLIES', reason: null })}
          sx={{ minHeight: { xs: 44, sm: 0 } }}
        >
          {text('incidents.conditionApplies')}
        </Button>
      )}
      {canDecide && condition.answer !== 'SKIPPED' && (
        <Button
          size="small"
          color="inherit"
          onClick={() => setSkipping(true)}
          sx={{ minHeight: { xs: 44, sm: 0 } }}
        >
          {text('incidents.conditionSkip')}
        </Button>
      )}
      {isSkipping && (
        <Suspense>
          <SkipDialog incidentId={incidentId} condition={condition} onClose={() => setSkipping(false)} />
        </Suspense>
      )}
    </Box>
  )
}
