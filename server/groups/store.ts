import { type GeneratedAlways, type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'

import type { GROUP_SORT_FIELDS, groupsApi } from '#contract/groups/api.ts'
import type { Group, GroupOption } from '#contract/groups/schema.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { lockFor, type OrgDb } from '#server/kit/database/db.ts'
import { pageOf } from '#server/kit/http/lists.ts'
import { holdsEachWord } from '#server/kit/database/search.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    user_groups: {
      id: string
      name: string
      name_key: string
      description: string | null
      created_by: string
      create_timestamp: string
      update_timestamp: string
      version: number
      sort_key: GeneratedAlways<string>
      search_key: GeneratedAlways<string>
    }
    group_members: { group_id: string; user_id: string }
    incident_target_groups: { incident_id: string; group_id: string }
  }
}

const MEMBERS = sql<string[]>`coalesce((
  select array_agg(u.email order by u.given_key, u.id) from group_members m join users u on u.id = m.user_id
  where m.group_id = user_groups.id), '{}')`.as('userIds')
const SHOWN = [
  'id',
  'name',
  'description',
  MEMBERS,
  'created_by as createdBy',
  'create_timestamp as createTimestamp',
  'update_timestamp as updateTimestamp',
  'version',
] as const

const BY: { readonly [F in (typeof GROUP_SORT_FIELDS)[number]]: RawBuilder<unknown> } = {
  name: sql`sort_key`,
  updateTimestamp: sql`update_timestamp`,
}

/** A page of groups, by name unless a sort is asked for. Each word of `q` must be found somewhere. */
export async function listGroups(
  db: OrgDb,
  { sort, range, filter }: z.output<(typeof groupsApi)['list']['query']>,
): Promise<Page<Group>> {
  const [field, direction] = sort ?? ['name', 'ASC']
  const list = db
    .selectFrom('user_groups')
    .select(SHOWN)
    .where(holdsEachWord(filter?.q))
    .orderBy(sql`${BY[field]} ${sql.raw(direction)}`)
    .orderBy('id')
  return pageOf(list, range)
}

export const findGroup = (db: OrgDb, id: string): Promise<Group | undefined> =>
  db.selectFrom('user_groups').select(SHOWN).where('id', '=', id).executeTakeFirst()

/** Holds a group until the transaction ends, so that nobody changes it meanwhile and no incident begins to target it. */
export async function holdGroup(db: OrgDb, id: string): Promise<Group | undefined> {
  await db.selectFrom('user_groups').select('id').where('id', '=', id).forUpdate().execute()
  return findGroup(db, id)
}

/** Names are the same whatever their case. */
const keyOf = (name: string): string => name.normalize('NFC').toLowerCase()

type Words = Pick<Group, 'name' | 'description'>

/** Adds a group without members; null when its name is in use. */
export async function insertGroup(
  db: OrgDb,
  { name, description, createdBy }: Words & Pick<Group, 'createdBy'>,
  at: string,
): Promise<string | null> {
  const row = await db
    .insertInto('user_groups')
    .values({
      id: crypto.randomUUID(),
      name,
      name_key: keyOf(name),
      description,
      created_by: createdBy,
      create_timestamp: at,
      update_timestamp: at,
      version: 1,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Whoever is about to name a group goes one at a time, so that no two get the same name. */
export const lockNames = (db: OrgDb): Promise<void> => lockFor(db, 'group names')

/** Whether another group has a name. */
export async function isNameTaken(db: OrgDb, name: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('user_groups')
    .select('id')
    .where('name_key', '=', keyOf(name))
    .where('id', '!=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Changes a group's words and counts the version up. */
export async function updateGroup(
  db: OrgDb,
  id: string,
  { name, description }: Words,
  at: string,
): Promise<void> {
  await db
    .updateTable('user_groups')
    .set({ name, name_key: keyOf(name), description, update_timestamp: at, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

/** Makes exactly these people the members of a group. */
export async function updateMembers(db: OrgDb, id: string, userIds: readonly string[]): Promise<void> {
  await sql`delete from group_members where group_id = ${id} and user_id <> all(${userIds}::uuid[])`.execute(
    db,
  )
  await sql`insert into group_members (group_id, user_id) select ${id}, unnest(${userIds}::uuid[])
    on conflict do nothing`.execute(db)
}

export async function deleteGroup(db: OrgDb, id: string): Promise<void> {
  await db.deleteFrom('user_groups').where('id', '=', id).execute()
}

/** Whether an active incident or exercise targets a group. */
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

/** Groups to choose from, by name, for a person or for a key, which is nobody and has access to all. */
export const listOptions = (db: OrgDb, userId: string | null): Promise<GroupOption[]> =>
  db
    .selectFrom('user_groups')
    .select(['id', 'name', MEMBERS])
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
