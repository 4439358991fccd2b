import { sql } from 'kysely'

import type { ActiveIncident, Dashboard } from '#contract/dashboard/schema.ts'
import type { SubscriptionLevel } from '#contract/organisations/schema.ts'
import { clock } from '#server/kit/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

/** Incidents and exercises that the tiles may list; more than this are only counted. */
const LISTED = 20

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
  /** When the oldest incident began; null where only exercises are active. */
  oldest: string | null
}

/** The organisation's current state. What external people and keys may not see is decided before. */
export async function findDashboard(db: OrgDb): Promise<Dashboard> {
  const { rows: active } = await sql<Active>`
    select id, title, is_tabletop as "isTabletop", severity, create_timestamp as "createTimestamp",
      count(*) filter (where not is_tabletop) over () as incidents,
      count(*) filter (where is_tabletop) over () as exercises,
      min(create_timestamp) filter (where not is_tabletop) over () as oldest
    from incidents where is_active
    order by is_tabletop, array_position(array['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'], severity), create_timestamp desc, id
    limit ${LISTED}`.execute(db)
  const { rows } = await sql<Overview>`
    select max_users, subscription_level, create_timestamp,
      (select count(*) from users where active) as current_users,
      (select max(resolve_timestamp) from incidents where not is_active and not is_tabletop) as last_resolved
    from organisations where id = current_organisation()`.execute(db)
  const overview = rows[0]!
  const first = active[0] ?? null
  const oldest = first?.oldest ?? null
  const now = clock.now()
  // A clock that was set back must not show a negative time.
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
