import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

import { dueAt } from '#contract/incidents/rules.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'
import { usePeople } from '#providers/people.ts'

import { useDuration } from '#src/playbooks/useDuration.ts'

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box component="dt" sx={{ color: 'text.secondary', fontSize: '0.75rem' }}>
        {name}
      </Box>
      <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </Box>
  )
}

/** Start, estimated recovery and resolution of an incident, with names. */
export function IncidentFacts({ incident }: { incident: Incident }) {
  const text = useText()
  const duration = useDuration()
  const { nameOf } = usePeople()
  const { createTimestamp, createdBy, resolveTimestamp, resolvedBy, outcome } = incident
  const { estimatedTimeToRecovery: time, estimatedTimeToRecoveryTimeUnit: unit } = incident
  const due = dueAt(incident)
  return (
    <Box component="dl" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1, m: 0 }}>
      <Fact name={text('incidents.startedFact')}>
        <Time at={createTimestamp} /> · {nameOf(createdBy)}
      </Fact>
      <Fact name={text('incidents.recovery')}>
        {time === null || unit === null || due === null ? (
          text('incidents.recoveryUnknown')
        ) : (
          <>
            {duration.of(time, unit)}
            {incident.isActive && (
              <Box component="span" sx={{ color: 'text.secondary' }}>
                {' · '}
                {text('incidents.due')} <Time at={new Date(due).toISOString()} />
              </Box>
            )}
          </>
        )}
      </Fact>
      {resolveTimestamp && (
        <Fact name={text(outcome === null ? 'incidents.resolvedFact' : `incidents.outcomes.${outcome}`)}>
          <Time at={resolveTimestamp} />
          {resolvedBy && ` · ${nameOf(resolvedBy)}`}
          {incident.outcomeReason && `: ${incident.outcomeReason}`}
        </Fact>
      )}
      {incident.openTasks && (
        <Fact name={text('incidents.openTasksFact')}>
          {text(`incidents.openTasksWords.${incident.openTasks}`)}
          {incident.openTasksReason && `: ${incident.openTasksReason}`}
        </Fact>
      )}
    </Box>
  )
}
