import { type ColumnType, type GeneratedAlways, sql } from 'kysely'
import type * as z from 'zod/mini'

import type { groupsApi } from '#contract/groups/api.ts'
import { Group, GROUP_NAME_TAKEN, type GroupOption } from '#contract/groups/schema.ts'
import type { ColumnsOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { IS_COLLEAGUE } from '#server/kit/database/people.ts'
import { plainNoun } from '#server/kit/http/plain-noun.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { keptCount } from '#server/kit/database/row-counts.ts'
import { asIfCommon, INDEXED_MAX } from '#server/kit/database/search.ts'
import { cutOf, orderOf } from '#server/kit/http/lists.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    user_groups: ColumnsOf<Omit<Group, 'userIds' | 'userCount'>> & {
      name_key: string
      sort_key: GeneratedAlways<string>
      search_key: GeneratedAlways<string>
    }
    group_members: { group_id: string; user_id: string; place: ColumnType<number | null, number | undefined> }
    incident_target_groups: { incident_id: string; group_id: string }
  }
}

const MEMBERS = sql<string[]>`coalesce((
  select array_agg(u.email order by case when user_groups.is_ordered then m.place end, u.given_key, u.id) from group_members m join users u on u.id = m.user_id
  where m.group_id = user_groups.id), '{}')`

const MEMBER_COUNT = keptCount('group_members', [sql`user_groups.id`])

/** Case-insensitive key of a name. */
export const nameKeyOf = (name: string): string => name.normalize('NFC').toLowerCase()

export const groups = plainNoun({
  noun: 'groups',
  table: 'user_groups',
  label: 'This group',
  schema: Group,
  fields: ['name', 'description', 'isOrdered'],
  also: ['nameKey', 'createdBy'],
  computed: { userIds: MEMBERS, userCount: MEMBER_COUNT },
  wholeOnly: ['userIds'],
  derived: ['userCount'],
  name: 'name',
  nameTaken: GROUP_NAME_TAKEN,
  orders: { name: sql`sort_key`, updateTimestamp: sql`update_timestamp` },
  sort: ['name', 'ASC'],
})

/** Replaces the members of a group, and their order where it has one. */
export async function updateMembers(
  db: OrgDb,
  id: string,
  userIds: readonly string[],
  isOrdered: boolean,
): Promise<void> {
  await sql`delete from group_members where group_id = ${id} and user_id <> all(${userIds}::uuid[])`.execute(
    db,
  )
  await sql`insert into group_members as m (group_id, user_id, place)
    select ${id}, user_id, case when ${isOrdered} then n end
    from unnest(${userIds}::uuid[]) with ordinality as u (user_id, n)
    on conflict (group_id, user_id) do update set place = excluded.place
      where m.place is distinct from excluded.place`.execute(db)
}

/** Addresses of the members of a group in their order. */
export async function listMembersInOrder(
  db: OrgDb,
  id: string,
  range: readonly [number, number] | undefined,
): Promise<Page<{ email: string }>> {
  const { rows } = await sql<{ email: string; total: number }>`
    select u.email, count(*) over () as total from group_members m join users u on u.id = m.user_id
    where m.group_id = ${id} order by m.place, u.given_key, u.id
    ${range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``}`.execute(db)
  if (rows.length > 0 || !range?.[0]) return { rows, total: rows[0]?.total ?? 0 }
  return { rows, total: (await listMembersInOrder(db, id, [0, 0])).total }
}

/** Addresses of the members of a group, by display name. */
export async function listMembers(
  db: OrgDb,
  id: string,
  { sort, range }: z.output<(typeof groupsApi)['members']['query']>,
): Promise<Page<{ email: string }>> {
  const steps = (['given_key', 'id'] as const).map((by) => [sql.raw(by), sort?.[1] ?? 'ASC'] as const)
  const counted = await sql<{ total: number }>`
    select ${keptCount('group_members', [sql`${id}::uuid`])} as total`.execute(db)
  const { total } = counted.rows[0]!
  const { limit, offset, isFromEnd } = cutOf(range ?? [0, total - 1], total)
  const members = sql<boolean>`exists (select from group_members m where m.group_id = ${id} and m.user_id = users.id)`
  // Large groups are read in the order of people until the page is full.
  const { rows } = await sql<{ email: string }>`
    select email from (
      select email, given_key, id from users where ${total > INDEXED_MAX ? asIfCommon(members) : members}
       order by ${orderOf(steps, isFromEnd)} limit ${limit} offset ${offset}) page
    order by ${orderOf(steps)}`.execute(db)
  return { rows, total }
}

/** Names of groups by id; unknown ids are left out. */
export async function listGroupNames(db: OrgDb, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('user_groups')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
/** Members of groups whom incidents can target, without external people, each once. */
export async function listColleaguesIn(
  db: OrgDb,
  ids: readonly string[],
): Promise<{ id: string; email: string }[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string; email: string }>`
    select id, email from users where ${IS_COLLEAGUE}
       and id in (select user_id from group_members where group_id = any(${ids}::uuid[]))
     order by id`.execute(db)
  return rows
}

/** True when an active incident or exercise targets a group. */
export async function isTargeted(db: OrgDb, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('incident_target_groups as t')
    .innerJoin('incidents as i', 'i.id', 't.incident_id')
    .select('i.id')
    .where('t.group_id', '=', id)
    .where('i.is_active', '=', true)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Groups to choose from, by name. A person sees the groups that they may use; an API key (null) all.
 * @param withMembers includes the members
 */
export const listOptions = (db: OrgDb, userId: string | null, withMembers = true): Promise<GroupOption[]> =>
  db
    .selectFrom('user_groups')
    .select(['id', 'name', MEMBER_COUNT.as('userCount')])
    .$if(withMembers, (whole) => whole.select(MEMBERS.as('userIds')))
    .select(
      userId === null
        ? sql<boolean>`true`.as('canAccess')
        : sql<boolean>`exists (select from group_members m where m.group_id = user_groups.id and m.user_id = ${userId})`.as(
            'canAccess',
          ),
    )
    .orderBy('sort_key')
    .orderBy('id')
    .execute()
