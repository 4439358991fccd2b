import Box from '@mui/material/Box'
import Button from '@mui/material/Button'

import { incidentPlaybooksApi } from '#contract/incident-playbooks/api.ts'
import type { IncidentCondition } from '#contract/incident-playbooks/schema.ts'
import { incidentCan } from '#contract/incidents/rules.ts'
import type { Activity, Incident } from '#contract/incidents/schema.ts'
import { usePeople } from '#providers/people.ts'
import { useCan } from '#providers/useCan.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { useConditions, useDecide } from './queries.ts'

/** The nearest skipped condition of a task. */
function skippedBy(
  conditions: ReadonlyMap<string, IncidentCondition>,
  { conditionId }: Activity,
): IncidentCondition | undefined {
  let at = conditions.get(conditionId ?? '')
  while (at && at.answer !== 'SKIPPED') at = conditions.get(at.parentId ?? '')
  return at
}

interface PartProps {
  incident: Incident
  condition: IncidentCondition
  tasks: readonly Activity[]
}
function SkippedPart({ incident, condition, tasks }: PartProps) {
  const text = useText()
  const { nameOf } = usePeople()
  const decide = useDecide(incident.id)
  const canDecide = useCan()(incidentPlaybooksApi.decide.access) && incidentCan.edit(incident)
  const { id, title, condition: words, reason, decidedBy, decidedTimestamp } = condition
  return (
    <Box component="details" sx={{ py: 1, borderTop: 1, borderColor: 'divider', color: 'text.secondary' }}>
      <Box
        component="summary"
        sx={{ cursor: 'pointer', overflowWrap: 'anywhere', minHeight: { xs: 32, sm: 0 } }}
      >
        <Box component="span" dir="auto" sx={{ fontWeight: 600 }}>
          {title}
        </Box>
        {' · '}
        {text('incidents.skippedTasks', { smart_count: tasks.length })}
        <Box component="span" sx={{ display: 'block', fontSize: '0.8125rem' }}>
          {text('incidents.skippedBy', { name: decidedBy === null ? '' : nameOf(decidedBy) })}{' '}
          {decidedTimestamp !== null && <Time at={decidedTimestamp} />}
          {reason !== null && (
            <Box component="span" dir="auto">
              : {reason}
            </Box>
          )}
        </Box>
      </Box>
      <Box sx={{ display: 'grid', gap: 1, pt: 1, pl: 2, justifyItems: 'start' }}>
        <div dir="auto">{text('incidents.onlyIf', { condition: words })}</div>
        <Box component="ul" sx={{ m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
          {tasks.map((task) => (
            <li key={task.id} dir="auto">
              {task.title}
            </li>
          ))}
        </Box>
        {canDecide && (
          <Button
            size="small"
            variant="outlined"
            aria-label={text('incidents.bringBackOf', { title })}
            loading={decide.isPending}
            onClick={() => decide.mutate({ id, answer: 'OPEN', reason: null })}
            sx={{ minHeight: { xs: 44, sm: 0 } }}
          >
            {text('incidents.bringBack')}
          </Button>
        )}
      </Box>
    </Box>
  )
}

/** Folded tasks that do not apply, by the condition that skips them. */
export function SkippedTasks({ incident }: { incident: Incident }) {
  const conditions = useConditions(incident.id)
  const skipped = incident.activities.filter(({ isSkipped }) => isSkipped)
  const parts = Map.groupBy(skipped, (task) => skippedBy(conditions, task))
  return (
    <>
      {[...parts].map(
        ([condition, tasks]) =>
          condition && (
            <SkippedPart key={condition.id} incident={incident} condition={condition} tasks={tasks} />
          ),
      )}
    </>
  )
}
