import { type RawBuilder, sql } from 'kysely'

import type { managedIncidentsApi, OVERVIEW_SORT_FIELDS } from '#contract/managed-incidents/api.ts'
import {
  type IncidentOverview,
  type ManagedIncident,
  ORGANISATION_STATES,
  type OrganisationState,
  type ProviderDashboard,
} from '#contract/managed-incidents/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb, ProviderDb } from '#server/kit/database/db.ts'
import { patternOf } from '#server/kit/database/search.ts'
import type { Page } from '#server/kit/http/answers.ts'

/** Organisations with their active incident or exercise: the oldest incident, or else the oldest exercise. */
const RUNNING = sql`
  from organisations o left join (
    select distinct on (organisation_id) organisation_id, id, title, is_tabletop, create_timestamp from incidents
    where is_active order by organisation_id, is_tabletop, create_timestamp, id) i on i.organisation_id = o.id
  where o.deleted_timestamp is null`
const STATUS = sql<OrganisationState>`case when i.id is null then 'SAFE' when i.is_tabletop
  then 'TABLETOP_IN_PROGRESS' else 'INCIDENT_IN_PROGRESS' end`
const LAST = sql<string | null>`coalesce(i.create_timestamp, (select max(resolve_timestamp) from incidents
  where organisation_id = o.id and not is_active and not is_tabletop))`
const CHECK_INS = sql<number>`(select count(*) from check_ins where incident_id = i.id)`
const UPDATES = sql<number>`(select count(*) from activities where incident_id = i.id and type = 'UPDATE')`
const TASKS = sql<number>`(select count(*) from activities where incident_id = i.id and type = 'TASK')`
const ATTACHMENTS = sql<number>`(select count(*) from attachments where incident_id = i.id)`

const ORDERS: { readonly [F in (typeof OVERVIEW_SORT_FIELDS)[number]]: RawBuilder<unknown> } = {
  status: sql`array_position(${[...ORGANISATION_STATES]}::text[], ${STATUS})`,
  displayName: sql`o.sort_key`,
  // Descending, because the longest duration has the earliest start.
  duration: sql`-extract(epoch from coalesce(${LAST}, o.create_timestamp))`,
  title: sql`i.title is null, fold(i.title)`,
  checkIns: CHECK_INS,
  updates: UPDATES,
  tasks: TASKS,
  attachments: ATTACHMENTS,
}

interface OverviewRow extends Omit<IncidentOverview, 'enterprise' | 'duration'> {
  readonly code: string
  readonly display_name: string
  readonly enterprise_domain: string | null
  readonly create_timestamp: string
  readonly max_users: number
  readonly parent_id: string | null
}
type Query = ReturnType<(typeof managedIncidentsApi)['overview']['query']['parse']>

/** A page of organisations with their state, or all of them. Counts are computed for the page's rows only. */
export async function listOverview(
  db: ProviderDb,
  { sort: [field, direction] = ['status', 'ASC'], range, filter }: Query,
): Promise<Page<IncidentOverview>> {
  const words = (filter?.q ?? '').split(/\s+/).filter((word) => word !== '')
  const found = sql`${RUNNING} ${sql.join(
    [
      sql``,
      ...(filter?.id === undefined ? [] : [sql`o.id = ${filter.id}`]),
      ...words.map((word) => sql`o.search_key like '%' || ${patternOf(word)} || '%'`),
    ],
    sql` and `,
  )}`
  const page = range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``
  const { rows } = await sql<OverviewRow & { total: number }>`
    with page as materialized (
      select o.id as organisation_id, i.id, row_number() over (
        order by ${ORDERS[field]} ${sql.raw(direction)}, o.sort_key, o.id) as place, count(*) over () as total
      ${found} order by place ${page}
    )
    select p.total, o.id, o.code, o.display_name, o.enterprise_domain, o.create_timestamp, o.max_users, o.parent_id,
      ${STATUS} as status, ${LAST} as "lastIncidentTimestamp", i.title,
      ${CHECK_INS} as "checkIns", ${UPDATES} as updates, ${TASKS} as tasks, ${ATTACHMENTS} as attachments,
      (select count(*) from users where organisation_id = o.id and active) as "currentUsers"
    from page p join organisations o on o.id = p.organisation_id left join incidents i on i.id = p.id
    order by p.place`.execute(db)
  const now = clock.now()
  return { rows: rows.map((row) => shown(row, now)), total: rows[0]?.total ?? (await countOf(db, found)) }
}
/** The total for a page behind the end, which has no row to carry it. */
async function countOf(db: ProviderDb, found: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total ${found}`.execute(db)
  return rows[0]!.total
}

function shown(row: OverviewRow, now: number): IncidentOverview {
  const { id, status, lastIncidentTimestamp, title, checkIns, currentUsers, updates, tasks, attachments } =
    row
  const since = lastIncidentTimestamp ?? row.create_timestamp
  return {
    id,
    enterprise: {
      id,
      code: row.code,
      displayName: row.display_name,
      enterpriseDomain: row.enterprise_domain,
      createTimestamp: row.create_timestamp,
      maxUsers: row.max_users,
      parentId: row.parent_id,
    },
    status,
    lastIncidentTimestamp,
    // Never negative, even where the clock was set back.
    duration: Math.max(0, Math.floor((now - Date.parse(since)) / 1_000)),
    title,
    checkIns,
    currentUsers,
    updates,
    tasks,
    attachments,
  }
}

export async function findProviderDashboard(db: ProviderDb): Promise<ProviderDashboard> {
  const { rows } = await sql<ProviderDashboard>`
    select count(*) as organizations,
      count(*) filter (where ${STATUS} = 'INCIDENT_IN_PROGRESS') as "incidentsInProgress",
      count(*) filter (where ${STATUS} = 'TABLETOP_IN_PROGRESS') as "tabletopsInProgress",
      count(*) filter (where ${STATUS} = 'SAFE') as safe,
      coalesce(sum((select count(*) from users where organisation_id = o.id and active)), 0) as "activeUsers"
    ${RUNNING}`.execute(db)
  return rows[0]!
}

/** A page of the open organisation's incidents, newest first, with their number. */
export async function listManagedIncidents(
  db: OrgDb,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ rows: ManagedIncident[]; total: number }> {
  const at = (column: string) =>
    sql.raw(`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
  const { rows } = await sql<ManagedIncident>`
    select i.id, i.title, i.is_active as "isActive", i.is_tabletop as "isTabletop", i.outcome,
      i.create_timestamp as "createTimestamp", i.resolve_timestamp as "resolveTimestamp", i.created_by as "createdBy",
      i.preview_text as "previewText", i.is_targeted as "isTargeted", i.postmortem_details as "postmortemDetails",
      (select count(*) from attachments f where f.incident_id = i.id) as attachments,
      coalesce((select jsonb_agg(jsonb_build_object('userId', c.user_id, 'timestamp', ${at('c.timestamp')})
        order by c.timestamp, c.user_id) from check_ins c where c.incident_id = i.id), '[]') as "checkIns",
      coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'type', a.type, 'status', a.status, 'assignedTo', u.email)
        order by a.position) from activities a left join users u on u.id = a.assigned_to
        where a.incident_id = i.id), '[]') as activities,
      coalesce((select jsonb_agg(u.email order by u.email) from incident_target_users t join users u on u.id = t.user_id
        where t.incident_id = i.id), '[]') as "targetedUsers"
    from incidents i order by i.create_timestamp desc, i.id limit ${size} offset ${page * size}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total from incidents`.execute(db)
  return { rows, total: counted.rows[0]!.total }
}
