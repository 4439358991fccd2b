import * as z from 'zod/mini'
import { type RawBuilder, sql } from 'kysely'

import {
  DUPLICATES_MAX,
  IncidentSummary,
  type LinkedIncident,
  type RoomAccess,
  type Severity,
} from '#contract/incidents/schema.ts'
import { NamedPerson, type UserType } from '#contract/users/schema.ts'
import { fieldsOf, selectionOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { isAskedByAll } from '#server/kit/database/people.ts'
import { keptCount } from '#server/kit/database/row-counts.ts'
import { countLimit, type Found, searchRows } from '#server/kit/database/search.ts'
import { statement } from '#server/kit/database/statements.ts'

import { COUNTED, type ShownRow, Stored } from './store.ts'

/** The viewer. Row-level security hides incidents from external viewers. */
export interface Viewer {
  readonly id: string
}

const SHOWN = selectionOf(fieldsOf(Stored), 'i.')
const NAMED = [...selectionOf(fieldsOf(z.omit(NamedPerson, { uuid: true }))), 'id as uuid'] as const

export interface TargetRow {
  readonly userId: string
  readonly email: string
  readonly type: UserType
  /** True when targeted by name, not only through a group. */
  readonly named: boolean
}
/** A group that an incident targets. */
export interface TargetGroupRow {
  readonly id: string
  readonly name: string
  /** Addresses of the members, where requested. */
  readonly userIds?: string[]
}
export interface CheckInRow {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly timestamp: string
}
/** The kind, the labels and the values of the organisation's own fields. Row-level security hides them from external people. */
interface OwnParts extends Readonly<Pick<IncidentSummary, 'kind' | 'fieldValues' | 'labels'>> {}
/** An incident with its targets. */
export type IncidentWithTargets = ShownRow &
  OwnParts & {
    readonly targets: readonly TargetRow[]
    readonly groups: readonly TargetGroupRow[]
  }
/** An incident with its targets and check-ins. */
export type IncidentWithPeople = IncidentWithTargets & { readonly checkIns: readonly CheckInRow[] }

const KIND = sql<OwnParts['kind']>`(
    select jsonb_build_object('id', k.id, 'name', k.name, 'icon', k.icon) from incident_kinds k where k.id = i.kind_id)`
const FIELD_VALUES = sql<OwnParts['fieldValues']>`coalesce((
    select jsonb_object_agg(v.field_id,
      case f.type when 'NUMBER' then to_jsonb(v.value::float8) else to_jsonb(v.value) end)
    from incident_field_values v join incident_fields f on f.id = v.field_id where v.incident_id = i.id), '{}')`
const LABELS = sql<OwnParts['labels']>`coalesce((
    select jsonb_agg(l.label order by l.position) from incident_labels l where l.incident_id = i.id), '[]')`
const TARGETS = sql<TargetRow[]>`coalesce((
    select jsonb_agg(jsonb_build_object('userId', u.id, 'email', u.email, 'type', u.type, 'named', exists (
      select from incident_target_users n where n.incident_id = i.id and n.user_id = u.id)) order by u.email)
    from incident_targets t join users u on u.id = t.user_id where t.incident_id = i.id), '[]')`
const NAMED_TARGETS = sql<string[]>`coalesce((
    select jsonb_agg(u.email order by u.email) from incident_target_users n join users u on u.id = n.user_id
    where n.incident_id = i.id), '[]')`
const MEMBERS = sql`, 'userIds', coalesce((
      select jsonb_agg(u.email order by u.email) from group_members m join users u on u.id = m.user_id
      where m.group_id = g.id), '[]')`
const groups = (withMembers: boolean) => sql<TargetGroupRow[]>`coalesce((
    select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name${withMembers ? MEMBERS : sql``}) order by g.sort_key, g.id)
    from incident_target_groups t join user_groups g on g.id = t.group_id where t.incident_id = i.id), '[]')`
const CHECK_INS = sql<CheckInRow[]>`coalesce((
    select jsonb_agg(jsonb_build_object('userId', u.id, 'email', u.email,
      'name', btrim(u.first_name || ' ' || u.last_name),
      'timestamp', to_char(c.timestamp at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      order by c.timestamp, u.email)
    from check_ins c join users u on u.id = c.user_id where c.incident_id = i.id), '[]')`

const targets = (viewer: Viewer) =>
  sql<boolean>`exists (select from incident_targets t where t.incident_id = i.id and t.user_id = ${viewer.id})`
const roomAccess = (viewer: Viewer) =>
  sql<RoomAccess>`coalesce((
    select case
        when m.user_id is not null then case when m.has_left then 'NONE' else 'MEMBER' end
        when i.is_active and not i.is_targeted
          and exists (select from users u where u.id = ${viewer.id} and ${isAskedByAll('u')}) then 'OPEN'
      end
      from rooms r left join room_members m on m.room_id = r.id and m.user_id = ${viewer.id}
     where r.id = i.breakout_room_id and not r.is_deleted), 'NONE')`
// Row-level security hides incidents from people who may not see them.
const MERGED_INTO = sql<LinkedIncident | null>`(
    select jsonb_build_object('id', m.id, 'number', m.number, 'title', m.title) from incidents m where m.id = i.merged_into_id)`
const DUPLICATES = sql<LinkedIncident[]>`coalesce((
    select jsonb_agg(jsonb_build_object('id', d.id, 'number', d.number, 'title', d.title) order by d.resolve_timestamp, d.id)
    from (select id, number, title, resolve_timestamp from incidents where merged_into_id = i.id
          order by resolve_timestamp, id limit ${sql.lit(DUPLICATES_MAX)}) d), '[]')`
/** Conditions of a page; null leaves one open. */
export interface Sought {
  /** The result of a search; null without one. */
  readonly found: Found<string> | null
  readonly isActive: boolean | null
  readonly severity: Severity | null
  readonly isTabletop: boolean | null
  /** Declared at this time or later. */
  readonly createdFrom: string | null
  readonly kindId: string | null
  /** Values by the id of their field, all of which an incident has. */
  readonly fieldValues: Readonly<Record<string, string>>
  /** An incident has at least one of these; none leave it open. */
  readonly labels: readonly string[]
}
const ALL: Sought = {
  found: null,
  isActive: null,
  severity: null,
  isTabletop: null,
  createdFrom: null,
  kindId: null,
  fieldValues: {},
  labels: [],
}
/** Conditions on what the organisation defines. External people see no kinds, values or labels, and find nothing by them. */
const ownConditions = (
  { kindId, fieldValues, labels }: Pick<Sought, 'kindId' | 'fieldValues' | 'labels'>,
  row: 'i' | 'incidents',
): RawBuilder<boolean>[] => [
  ...(kindId === null
    ? []
    : [
        sql<boolean>`${sql.ref(`${row}.kind_id`)} = (select k.id from incident_kinds k where k.id = ${kindId})`,
      ]),
  ...Object.entries(fieldValues).map(
    ([id, value]) => sql<boolean>`${sql.ref(`${row}.id`)} in (
      select v.incident_id from incident_field_values v where v.field_id = ${id} and v.value = ${value})`,
  ),
  ...(labels.length === 0
    ? []
    : [
        sql<boolean>`${sql.ref(`${row}.id`)} in (
      select l.incident_id from incident_labels l
       where l.folded = any(array(select fold(one) from unnest(${labels}::text[]) one)))`,
      ]),
]
const visible = (db: OrgDb, { found, isActive, severity, isTabletop, createdFrom, ...own }: Sought = ALL) =>
  db
    .selectFrom('incidents as i')
    .$if(isActive !== null, (query) => query.where('i.is_active', '=', isActive))
    .$if(severity !== null, (query) => query.where('i.severity', '=', severity))
    .$if(isTabletop !== null, (query) => query.where('i.is_tabletop', '=', isTabletop))
    .$if(createdFrom !== null, (query) => query.where('i.create_timestamp', '>=', createdFrom))
    .$if(found !== null, (query) => query.where('i.id', '=', sql<string>`any(${found!.ids}::uuid[])`))
    .where(sql<boolean>`${sql.join([sql`true`, ...ownConditions(own, 'i')], sql` and `)}`)

export const findIncident = (db: OrgDb, id: string): Promise<IncidentWithTargets | undefined> =>
  visible(db)
    .select(SHOWN)
    .select([TARGETS.as('targets'), groups(false).as('groups')])
    .select([KIND.as('kind'), FIELD_VALUES.as('fieldValues'), LABELS.as('labels')])
    .where('i.id', '=', id)
    .executeTakeFirst()

/** Check-ins of an incident, oldest first. */
export async function listCheckIns(db: OrgDb, id: string): Promise<CheckInRow[]> {
  const row = await visible(db).select(CHECK_INS.as('checkIns')).where('i.id', '=', id).executeTakeFirst()
  return row?.checkIns ?? []
}

/** True when an incident targets somebody; undefined where the viewer sees no such incident. */
export async function findIsTargeted(db: OrgDb, id: string): Promise<boolean | undefined> {
  const row = await visible(db)
    .select('i.is_targeted as isTargeted')
    .where('i.id', '=', id)
    .executeTakeFirst()
  return row?.isTargeted
}

/** Number of matching incidents. With a span of time, a kind, a label or a value, counted up to `countLimit`. */
export async function countIncidents(
  db: OrgDb,
  viewer: { readonly type: UserType | null },
  sought: Sought,
  { page, size }: Cut,
): Promise<{ total: number; isMinimum?: boolean | undefined }> {
  const { found, isActive, severity, isTabletop, createdFrom } = sought
  if (found?.page) return found.page
  const isOpen = createdFrom === null && ownConditions(sought, 'i').length === 0
  const most = isOpen ? null : countLimit((page + 1) * size)
  if (found === null && most === null && viewer.type !== 'EXTERNAL') {
    const kept = keptCount('incidents', [
      isActive === null ? undefined : sql`${isActive}::boolean`,
      severity === null ? undefined : sql`${severity}::text`,
      isTabletop === null ? undefined : sql`${isTabletop}::boolean`,
    ])
    return db.selectNoFrom(kept.as('total')).executeTakeFirstOrThrow()
  }
  const some = visible(db, sought)
    .select('i.id')
    .$if(most !== null, (query) => query.limit(most! + 1))
  const { total } = await db
    .selectFrom(some.as('some'))
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return { total, isMinimum: most !== null && total > most }
}

/** Searches every word among the incidents that match the other conditions. */
export function searchIncidents(
  db: OrgDb,
  words: readonly string[],
  { isActive, severity, isTabletop, createdFrom, ...own }: Omit<Sought, 'found'>,
  { page, size, activeFirst }: Page,
): Promise<Found<string>> {
  const conditions = [
    sql`true`,
    ...(isActive === null ? [] : [sql`is_active = ${isActive}`]),
    ...(severity === null ? [] : [sql`severity = ${severity}`]),
    ...(isTabletop === null ? [] : [sql`is_tabletop = ${isTabletop}`]),
    ...(createdFrom === null ? [] : [sql`create_timestamp >= ${createdFrom}`]),
    ...ownConditions(own, 'incidents'),
  ]
  return searchRows(db, {
    table: 'incidents',
    words,
    where: sql.join(conditions, sql` and `),
    order: sql`${activeFirst ? sql`is_active desc, ` : sql``}create_timestamp desc, id`,
    range: [page * size, (page + 1) * size - 1],
  })
}

/** An incident's progress, and its requests to the viewer. */
export interface Counts extends Readonly<Pick<IncidentSummary, keyof typeof COUNTED>> {
  readonly checkedIn: boolean
  readonly targeted: boolean
}

/** Requested people of an incident. */
export interface Populated {
  readonly checkIns: boolean
  /** Includes people targeted by name. */
  readonly targetedUsers: boolean
  readonly groupMembers: boolean
}
export const FULLY_POPULATED: Populated = { checkIns: true, targetedUsers: true, groupMembers: true }

interface Cut {
  readonly page: number
  readonly size: number
}
interface Page extends Cut {
  /** Active incidents before resolved ones; otherwise by age alone. */
  readonly activeFirst: boolean
}
/** An incident with the requested people. */
export type AnsweredRow = ShownRow &
  Counts & {
    readonly checkIns?: CheckInRow[]
    readonly targetedUsers?: string[]
    readonly groups?: TargetGroupRow[]
  }
/** One incident, with its links and the viewer's access to its breakout room. */
export type FoundRow = AnsweredRow & {
  readonly breakoutRoomAccess: RoomAccess
  readonly mergedInto: LinkedIncident | null
  readonly duplicates: LinkedIncident[]
}

const idsOf = (db: OrgDb, sought?: Sought) => visible(db, sought).select('i.id')
/** Found incidents with their counts. */
function counted(db: OrgDb, viewer: Viewer, found: ReturnType<typeof idsOf>, populated: Populated | null) {
  const tasks = sql<Pick<Counts, 'tasksCount' | 'completeTasksCount' | 'updatesCount'>>`(
    select count(*) filter (where type = 'TASK' and (progress = 100 or not is_skipped)) as "tasksCount",
      count(*) filter (where type = 'TASK' and progress = 100) as "completeTasksCount",
      count(*) filter (where type = 'UPDATE') as "updatesCount"
    from activities where incident_id = i.id)`
  const checkIns = sql<Pick<Counts, 'checkInsCount' | 'checkedIn'>>`(
    select count(*) as "checkInsCount", coalesce(bool_or(user_id = ${viewer.id}), false) as "checkedIn"
    from check_ins where incident_id = i.id)`
  return db
    .selectFrom(found.as('f'))
    .innerJoin('incidents as i', 'i.id', 'f.id')
    .innerJoinLateral(tasks.as('a'), (join) => join.onTrue())
    .innerJoinLateral(checkIns.as('c'), (join) => join.onTrue())
    .select(SHOWN)
    .selectAll(['f', 'a', 'c'])
    .select([targets(viewer).as('targeted'), KIND.as('kind')])
    .select([FIELD_VALUES.as('fieldValues'), LABELS.as('labels')])
    .$if(populated !== null, (query) => query.select(groups(populated!.groupMembers).as('groups')))
    .$if(populated?.targetedUsers ?? false, (query) => query.select(NAMED_TARGETS.as('targetedUsers')))
    .$if(populated?.checkIns ?? false, (query) => query.select(CHECK_INS.as('checkIns')))
}

/** The requested people as part of a statement's shape. */
type PopulatedShape = `${boolean} ${boolean} ${boolean}`
const answered = statement<PopulatedShape, { id: string; viewerId: string }, FoundRow>(
  (db, shape, { id, viewerId }) => {
    const [checkIns, targetedUsers, groupMembers] = shape.split(' ').map((one) => one === 'true')
    const populated = { checkIns: checkIns!, targetedUsers: targetedUsers!, groupMembers: groupMembers! }
    const viewer = { id: viewerId }
    return counted(db as OrgDb, viewer, idsOf(db as OrgDb).where('i.id', '=', id), populated).select([
      roomAccess(viewer).as('breakoutRoomAccess'),
      MERGED_INTO.as('mergedInto'),
      DUPLICATES.as('duplicates'),
    ])
  },
)
/** One incident for a response; undefined where the viewer sees no such incident. */
export async function findAnswered(
  db: OrgDb,
  viewer: Viewer,
  id: string,
  { checkIns, targetedUsers, groupMembers }: Populated,
): Promise<FoundRow | undefined> {
  const [row] = await answered(db, `${checkIns} ${targetedUsers} ${groupMembers}`, {
    id,
    viewerId: viewer.id,
  })
  return row
}

type ShownPeopleShape = 'with targets' | 'without targets'
const shownPeople = statement<ShownPeopleShape, { id: string }, NamedPerson>((db, shape, { id }) => {
  const named = sql`union all select u.email from incident_target_users n join users u on u.id = n.user_id
    where n.incident_id = ${id}`
  const emails = sql<string>`any(array(
    select unnest(array[i.created_by, i.resolved_by]) from incidents i where i.id = ${id}
    union all select a.created_by from activities a where a.incident_id = ${id}
    union all select u.email from activities a join users u on u.id = a.assigned_to where a.incident_id = ${id}
    ${shape === 'with targets' ? named : sql``}))`
  return db.selectFrom('users').select(NAMED).where('email', '=', emails)
})
/** People whose addresses an incident and its contents show, archived ones included. */
export const listShownPeople = (
  db: OrgDb,
  id: string,
  { targetedUsers }: Populated,
): Promise<NamedPerson[]> => shownPeople(db, targetedUsers ? 'with targets' : 'without targets', { id })

/** One page, newest first. Counts are computed for the page's rows only. */
export function listIncidents(
  db: OrgDb,
  viewer: Viewer,
  { page, size, activeFirst, populated, ...sought }: Sought & Page & { readonly populated: Populated | null },
): Promise<AnsweredRow[]> {
  const found = idsOf(db, sought)
    .$if(activeFirst, (query) => query.orderBy('i.is_active', 'desc'))
    .orderBy('i.create_timestamp', 'desc')
    .orderBy('i.id')
    .limit(size)
    // A search may have cut the page already.
    .offset(sought.found?.page ? 0 : page * size)
  return counted(db, viewer, found, populated)
    .$if(activeFirst, (query) => query.orderBy('i.is_active', 'desc'))
    .orderBy('i.create_timestamp', 'desc')
    .orderBy('i.id')
    .execute()
}

export const countActiveKinds = (db: OrgDb): Promise<{ incidents: number; exercises: number }> =>
  db
    .selectFrom('incidents')
    .select([
      sql<number>`count(*) filter (where not is_tabletop)`.as('incidents'),
      sql<number>`count(*) filter (where is_tabletop)`.as('exercises'),
    ])
    .where('is_active', '=', true)
    .executeTakeFirstOrThrow()

export async function findCheckIn(
  db: OrgDb,
  incidentId: string,
  userId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('check_ins')
    .select('timestamp')
    .where('incident_id', '=', incidentId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.timestamp
}

/** The people among these whom each incident targets, by name or through a group: external ones may read it then. */
export async function listTargetsAmong(
  db: OrgDb,
  incidentIds: readonly string[],
  userIds: readonly string[],
): Promise<{ incidentId: string; userId: string }[]> {
  const { rows } = await sql<{ incidentId: string; userId: string }>`
    select incident_id as "incidentId", user_id as "userId" from incident_targets
    where incident_id = any(${incidentIds}::uuid[]) and user_id = any(${userIds}::uuid[])`.execute(db)
  return rows
}
