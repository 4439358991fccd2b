import type { TeamStatus } from '#contract/incidents/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { notFound } from '#server/kit/http/refusal.ts'
import { knownTo } from '#server/users/people.store.ts'

import type { Acting } from './access.flows.ts'
import { lastActive } from './flows.ts'
import { findIsTargeted } from './store.ts'
import { countTeam, listCheckedIn, listWaiting } from './team.store.ts'

interface Range {
  readonly offset: number
  readonly size: number
  readonly onlyWaiting: boolean
}

/**
 * Part of an incident's team status. Who has checked in precedes who is waited for.
 * @throws Refusal 404 where the caller sees no such incident
 */
export async function teamStatus(
  db: OrgDb,
  by: Acting,
  id: string,
  { offset, size, onlyWaiting }: Range,
): Promise<TeamStatus> {
  const isTargeted = await findIsTargeted(db, id)
  if (isTargeted === undefined) throw notFound('This incident')
  const team = { incidentId: id, isTargeted, known: knownTo(by) }
  const { checkedIn, waiting } = await countTeam(db, team)
  const before = onlyWaiting ? 0 : checkedIn
  const rows = offset < before ? await listCheckedIn(db, team, { offset, size }) : []
  if (rows.length < size) {
    const rest = { offset: Math.max(0, offset - before), size: size - rows.length }
    rows.push(...(await listWaiting(db, team, rest)))
  }
  const active = await lastActive(
    db,
    by,
    rows.map((row) => row.id),
  )
  const timestamps = new Map(active.map(({ userId, timestamp }) => [userId, timestamp]))
  return {
    data: rows.map((row) => ({ ...row, lastActiveTimestamp: timestamps.get(row.id) ?? null })),
    total: checkedIn + waiting,
    checkedInCount: checkedIn,
    waitingCount: waiting,
  }
}
