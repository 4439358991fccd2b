import type { ChatChange, MessageActivity } from '#contract/chat/schema.ts'
import { listTargetsAmong } from '#server/incidents/reading.store.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

/** Readable incidents by external person, among those that changes name. */
type ReadableIncidents = ReadonlyMap<string, ReadonlySet<string>>
export const NONE: ReadableIncidents = new Map()

export const activitiesOf = (change: ChatChange): readonly MessageActivity[] =>
  change.kind === 'message' ? (change.message.activities ?? []) : []

/** The incidents of these changes that external people may read, because the feed itself reads as the organisation. */
export async function readableBy(
  db: OrgDb,
  userIds: readonly string[],
  changes: readonly ChatChange[],
): Promise<ReadableIncidents> {
  const incidentIds = new Set(changes.flatMap(activitiesOf).map(({ incidentId }) => incidentId))
  if (incidentIds.size === 0 || userIds.length === 0) return NONE
  const targets = await listTargetsAmong(db, [...incidentIds], userIds)
  return new Map(
    [...Map.groupBy(targets, ({ userId }) => userId)].map(([userId, theirs]) => [
      userId,
      new Set(theirs.map(({ incidentId }) => incidentId)),
    ]),
  )
}

/** Parts of incidents that external people do not see. */
const INTERNAL: readonly MessageActivity['type'][] = ['ENTRY', 'DECISION']
/** A change with only the incidents that an external person may read. */
export function shownTo(userId: string, change: ChatChange, readable: ReadableIncidents): ChatChange {
  if (change.kind !== 'message' || !change.message.activities) return change
  const { activities, ...message } = change.message
  const shown = activities.filter(
    ({ incidentId, type }) => !INTERNAL.includes(type) && readable.get(userId)?.has(incidentId),
  )
  return { ...change, message: { ...message, ...(shown.length > 0 && { activities: shown }) } }
}
