import { CHARACTER_MAX, cut } from '#contract/kit/cut.ts'
import { sql } from 'kysely'

import {
  type ActiveIncident,
  type Attention,
  type Dashboard,
  LATEST_LENGTH,
  NAMED_CHECK_INS,
  NAMED_DECISIONS,
  NAMED_TASKS,
} from '#contract/dashboard/schema.ts'
import type { SubscriptionLevel } from '#contract/organisations/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { keptCount } from '#server/kit/database/row-counts.ts'

/** Incidents and exercises that the tiles list; further ones are only counted. */
const LISTED = 20

const GRAVEST_FIRST = sql`array_position(array['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'], severity)`

interface Overview {
  max_users: number
  subscription_level: SubscriptionLevel
  create_timestamp: string
  current_users: number
  last_resolved: string | null
}
interface Active extends ActiveIncident {
  incidents: number
  exercises: number
  /** Start of the oldest incident; null where only exercises are active. */
  oldest: string | null
}

/** The organisation's current state, unfiltered: the endpoint requires the permission `dashboard`. */
export async function findDashboard(db: OrgDb): Promise<Dashboard> {
  const { rows: active } = await sql<Active>`
    select id, title, is_tabletop as "isTabletop", severity, create_timestamp as "createTimestamp",
      count(*) filter (where not is_tabletop) over () as incidents,
      count(*) filter (where is_tabletop) over () as exercises,
      min(create_timestamp) filter (where not is_tabletop) over () as oldest
    from incidents where is_active
    order by is_tabletop, ${GRAVEST_FIRST}, create_timestamp desc, id
    limit ${LISTED}`.execute(db)
  const { rows } = await sql<Overview>`
    select max_users, subscription_level, create_timestamp,
      ${keptCount('users', [sql`true`])} as current_users,
      (select max(resolve_timestamp) from incidents where not is_active and not is_tabletop) as last_resolved
    from organisations where id = current_organisation()`.execute(db)
  const overview = rows[0]!
  const first = active[0] ?? null
  const oldest = first?.oldest ?? null
  const now = clock.now()
  // Never negative, even where the clock was set back.
  const secondsSince = (at: string) => Math.max(0, Math.floor((now - Date.parse(at)) / 1_000))
  return {
    timestamp: new Date(now).toISOString(),
    lastIncidentTimestamp: overview.last_resolved,
    activeIncident: first,
    activeIncidents: active,
    incidentsCount: first?.incidents ?? 0,
    exercisesCount: first?.exercises ?? 0,
    secondsInIncident: oldest === null ? null : secondsSince(oldest),
    secondsIncidentFree:
      oldest === null ? secondsSince(overview.last_resolved ?? overview.create_timestamp) : null,
    currentUsers: overview.current_users,
    maxUsers: overview.max_users,
    subscriptionLevel: overview.subscription_level,
  }
}

const IN_INCIDENT = sql`i.id as "incidentId", i.title as "incidentTitle", i.is_tabletop as "isTabletop"`

type Counted<Rows extends readonly object[]> = Rows[number] & { total: number }
const countOf = (rows: readonly { total: number }[]): number => rows[0]?.total ?? 0

/** Open requests to a user, and the latest update of each active incident. */
export async function findAsked(db: OrgDb, userId: string): Promise<Attention> {
  const { rows: checkIns } = await sql<Counted<Attention['checkIns']>>`
    select ${IN_INCIDENT}, count(*) over () as total from incidents i
    where i.is_active
      and not exists (select from check_ins c where c.incident_id = i.id and c.user_id = ${userId})
      and (not i.is_targeted
        or exists (select from incident_targets t where t.incident_id = i.id and t.user_id = ${userId}))
    order by i.is_tabletop, ${GRAVEST_FIRST}, i.create_timestamp desc, i.id limit ${NAMED_CHECK_INS}`.execute(
    db,
  )
  const { rows: decisions } = await sql<Counted<Attention['decisions']>>`
    select ${IN_INCIDENT}, d.id, d.number, d.title, count(*) over () as total
    from incident_decisions d join incidents i on i.id = d.incident_id
    where d.decider_id = ${userId} and d.state = 'PROPOSED' and i.is_active
    order by i.is_tabletop, d.create_timestamp, d.id limit ${NAMED_DECISIONS}`.execute(db)
  const { rows: tasks } = await sql<Counted<Attention['tasks']>>`
    select ${IN_INCIDENT}, a.id, a.title, a.priority, count(*) over () as total
    from activities a join incidents i on i.id = a.incident_id
    where a.assigned_to = ${userId} and a.type = 'TASK' and a.progress < 100 and not a.is_skipped and i.is_active
    order by i.is_tabletop, array_position(array['HIGH', 'MEDIUM', 'LOW'], a.priority), a.position
    limit ${NAMED_TASKS}`.execute(db)
  const { rows: latest } = await sql<NonNullable<Attention['latestUpdate']>>`
    select ${IN_INCIDENT}, left(a.description, ${LATEST_LENGTH + CHARACTER_MAX}) as text,
      coalesce(nullif(btrim(u.first_name || ' ' || u.last_name), ''), a.created_by) as author,
      a.create_timestamp as "createTimestamp"
    from (select * from incidents where is_active order by is_tabletop, create_timestamp desc limit ${LISTED}) i
    cross join lateral (
      select * from activities where incident_id = i.id and type = 'UPDATE' order by position desc limit 1) a
    left join users u on u.email = a.created_by
    order by i.is_tabletop, a.create_timestamp desc limit 1`.execute(db)
  const { rows: exercises } = await sql<{ at: string | null }>`
    select max(create_timestamp) as at from incidents where is_tabletop`.execute(db)
  const { rows: demonstrations } = await sql<{ exerciseId: string | null }>`
    select i.id as "exerciseId" from demonstrations d left join incidents i on i.id = d.exercise_id and i.is_active`.execute(
    db,
  )
  return {
    checkIns,
    checkInsCount: countOf(checkIns),
    decisions,
    decisionsCount: countOf(decisions),
    tasks,
    tasksCount: countOf(tasks),
    latestUpdate: latest[0] ? { ...latest[0], text: cut(latest[0].text, LATEST_LENGTH) } : null,
    lastExerciseTimestamp: exercises[0]?.at ?? null,
    demonstration: demonstrations[0] ?? null,
  }
}
