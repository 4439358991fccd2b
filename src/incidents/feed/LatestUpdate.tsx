import Box from '@mui/material/Box'

import type { Activity, ChildActivity, Incident } from '#contract/incidents/schema.ts'
import { usePeople } from '#providers/people.ts'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { Card } from '#src/kit/layout/Card.tsx'
import { UpdateItem } from './UpdateItem.tsx'

const ROWS = 5
type Latest =
  | { readonly update: Activity; readonly task: null }
  | { readonly update: ChildActivity; readonly task: Activity }

/** The newest update of an active incident or its tasks; null for none. */
export function latestOf({ activities, isActive }: Incident): Latest | null {
  if (!isActive) return null
  let latest: Latest | null = null
  const consider = (one: Latest) => {
    if (!latest || one.update.createTimestamp > latest.update.createTimestamp) latest = one
  }
  for (const activity of activities) {
    if (activity.type === 'UPDATE') consider({ update: activity, task: null })
    for (const update of activity.childActivities) consider({ update, task: activity })
  }
  return latest
}

/** The team's latest update, above the feed. */
export function LatestUpdate({ incident }: { incident: Incident }) {
  const text = useText()
  const { nameOf } = usePeople()
  const latest = latestOf(incident)
  if (!latest) return null
  const { update, task } = latest
  const author = nameOf(update.createdBy)
  return (
    <Card heading="h3" title={text('incidents.latestUpdate')}>
      {task ? (
        // Editing is offered at the update itself, below its task.
        <Box sx={{ overflowWrap: 'anywhere' }}>
          <Box dir="auto" sx={{ fontWeight: 600 }}>
            {task.title}
          </Box>
          <Box sx={{ fontSize: '0.75rem', color: 'text.secondary', mb: 0.5 }}>
            {author} · <Time at={update.createTimestamp} clock />
          </Box>
          <PlainText text={update.description} rows={ROWS} />
        </Box>
      ) : (
        <UpdateItem incidentId={incident.id} update={update} author={author} />
      )}
    </Card>
  )
}
