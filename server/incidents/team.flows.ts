import { sql } from 'kysely'

import { incidentCan } from '#contract/incidents/rules.ts'
import type { TeamStatus } from '#contract/incidents/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { demand, notFound } from '#server/kit/core/refusal.ts'
import { knownTo } from '#server/users/people.store.ts'
import type { Acting } from '#server/kit/http/serve.ts'

import { countHelpCalls } from './answers.store.ts'
import { RESOLVED, stateOf } from './access.flows.ts'
import { lastActive } from './flows.ts'
import { findIncident, findIsTargeted, type IncidentWithTargets } from './reading.store.ts'
import {
  countTeam,
  listCheckedIn,
  listWaiting,
  listWaitingPeople,
  type Slice,
  type Team,
  type Waited,
  type WaitingPerson,
} from './team.store.ts'

interface Range {
  readonly offset: number
  readonly size: number
  readonly onlyWaiting: boolean
  readonly waitingFirst: boolean
}

type List = typeof listWaiting

/** A slice across two consecutive lists, the first of which has `firstCount` rows. */
async function sliceOf(
  db: OrgDb,
  team: Team,
  { offset, size }: Slice,
  { first, firstCount, second }: { first: List; firstCount: number; second?: List },
) {
  const rows = offset < firstCount ? await first(db, team, { offset, size }) : []
  if (!second || rows.length === size) return rows
  const rest = { offset: Math.max(0, offset - firstCount), size: size - rows.length }
  return [...rows, ...(await second(db, team, rest))]
}

/**
 * People who are asked to check in to a running incident and have not done so. Not for external callers, who do not
 * know everybody.
 * @throws Refusal 404, 409 for a resolved incident
 */
export async function waitingPeople(
  db: OrgDb,
  id: string,
  waited: Partial<Waited> = {},
): Promise<{ incident: IncidentWithTargets; people: WaitingPerson[] }> {
  const incident = await findIncident(db, id)
  if (!incident) throw notFound('This incident')
  demand(incidentCan.checkIn(stateOf(incident)), 409, RESOLVED)
  const team = { incidentId: id, isTargeted: incident.isTargeted, known: sql<boolean>`true` }
  return {
    incident,
    people: await listWaitingPeople(db, team, { userIds: null, withCheckedIn: false, ...waited }),
  }
}

/**
 * Part of an incident's team status. People who have checked in come first, unless the request says otherwise.
 * @throws Refusal 404 where the caller sees no such incident
 */
export async function teamStatus(
  db: OrgDb,
  by: Acting,
  id: string,
  { onlyWaiting, waitingFirst, ...slice }: Range,
): Promise<TeamStatus> {
  const isTargeted = await findIsTargeted(db, id)
  if (isTargeted === undefined) throw notFound('This incident')
  const team = { incidentId: id, isTargeted, known: knownTo(by) }
  const [{ checkedIn, waiting }, helpCount] = await Promise.all([countTeam(db, team), countHelpCalls(db, id)])
  const waitingPart = { first: listWaiting, firstCount: waiting }
  const rows = await sliceOf(
    db,
    team,
    slice,
    onlyWaiting
      ? waitingPart
      : waitingFirst
        ? { ...waitingPart, second: listCheckedIn }
        : { first: listCheckedIn, firstCount: checkedIn, second: listWaiting },
  )
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
    helpCount,
  }
}
