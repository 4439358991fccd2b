import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import * as z from 'zod/mini'

import type { usersApi } from '#contract/users/api.ts'
import { DirectoryUser, NamedPerson, PEOPLE_FOUND_MAX } from '#contract/users/schema.ts'
import { fieldsOf, selectionOf } from '#server/kit/database/columns.ts'
import type { OrgDb, Tables } from '#server/kit/database/db.ts'
import { IS_COLLEAGUE } from '#server/kit/database/people.ts'
import { asIfCommon, holdsEachWord, idsByIndex, patternOf, peopleWords } from '#server/kit/database/search.ts'

import { inOrderOf, isAmong, PASSWORD_SET } from './store.ts'

const NAMED = [...selectionOf(fieldsOf(z.omit(NamedPerson, { uuid: true }))), 'id as uuid'] as const
const LISTED = [
  ...selectionOf(fieldsOf(z.omit(DirectoryUser, { uuid: true, hasPasswordSet: true }))),
  'id as uuid',
  PASSWORD_SET,
] as const

/**
 * Condition for people whom a caller may see: everybody, or for an external caller those of their incidents and rooms.
 */
export const knownTo = ({
  id,
  type,
}: {
  id: string
  type: 'INTERNAL' | 'EXTERNAL' | null
}): RawBuilder<boolean> =>
  type !== 'EXTERNAL'
    ? sql<boolean>`true`
    : sql<boolean>`(id = ${id} or id in (
        with mine as (select incident_id from incident_targets where user_id = ${id})
        select user_id from incident_targets where incident_id in (select incident_id from mine)
        union select assigned_to from activities where incident_id in (select incident_id from mine)
        union select u.id from incidents i join users u on u.email = i.created_by
          where i.id in (select incident_id from mine)
        union select fellow.user_id from room_members mine join room_members fellow using (room_id)
          join rooms r on r.id = mine.room_id and not r.is_deleted
          where mine.user_id = ${id} and not mine.has_left and not fellow.has_left
      ))`

/** Ids of these people, active or not, by display name. */
export const listDirectoryIds = async (db: OrgDb, known: RawBuilder<boolean>): Promise<string[]> => {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where(known)
    .orderBy('given_key')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
/** People of the directory, by id. */
export const listDirectory = (db: OrgDb, ids: readonly string[]): Promise<DirectoryUser[]> =>
  db.selectFrom('users').select(LISTED).where(isAmong(ids)).orderBy(inOrderOf(ids)).execute()

/** People by address, archived ones included. Unknown addresses are left out. */
export const listNamed = async (
  db: OrgDb,
  emails: readonly string[],
  known: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<NamedPerson[]> =>
  emails.length === 0
    ? []
    : db
        .selectFrom('users')
        .select(NAMED)
        .where('email', '=', sql<string>`any(${[...new Set(emails)]}::text[])`)
        .where(known)
        .execute()

/** People by address whom incidents can target, without external people. Others are left out. */
export const listColleagues = async (
  db: OrgDb,
  emails: readonly string[],
): Promise<{ id: string; email: string }[]> =>
  emails.length === 0
    ? []
    : db
        .selectFrom('users')
        .select(['id', 'email'])
        .where('email', '=', sql<string>`any(${[...new Set(emails)]}::text[])`)
        .where(IS_COLLEAGUE)
        .execute()

/** Condition for people who match a word. Only a word with an @ searches the domain, which most people share. */
const holds = (word: string): RawBuilder<boolean> =>
  word.includes('@') ? holdsEachWord(word) : sql<boolean>`picker_key like '%' || ${patternOf(word)} || '%'`

/** Condition for people who can be chosen (foundation §6), or whom an incident can target (operations §6). */
const choosable = (isTargetable: boolean): RawBuilder<boolean> =>
  sql<boolean>`(active and not banned and not dashboard_user and email <> ''
    and ${isTargetable ? sql`role <> 'BUSINESS_USER'` : sql`true`})`

type Search = ReturnType<(typeof usersApi)['search']['query']['parse']>
/**
 * People who can be chosen, those with a word that begins like the search's first word first. In very large results,
 * matching first names precede matching last names.
 */
export async function searchPeople(
  db: OrgDb,
  { searchString = '', isTargetable, withExternals, onlyExternals }: Search,
  known: RawBuilder<boolean>,
): Promise<{ users: NamedPerson[]; hasExternals: boolean }> {
  const words = [...new Set(peopleWords(searchString))]
  const people = db.selectFrom('users').where(known).where(choosable(isTargetable))
  const sought = people
    .$if(!withExternals, (internal) => internal.where('type', '=', 'INTERNAL'))
    .$if(onlyExternals, (external) => external.where('type', '=', 'EXTERNAL'))
  const ids = words.length > 0 ? await idsByIndex(db, 'users', words) : null
  const users = words.length > 0 && !ids ? await firstOfMany(sought, words) : await bestOf(sought, words, ids)
  const external = await people.select('id').where('type', '=', 'EXTERNAL').limit(1).executeTakeFirst()
  return { users, hasExternals: external !== undefined }
}

type People = SelectQueryBuilder<Tables, 'users', {}>
const inOrder = (people: People) =>
  people.select(NAMED).orderBy('given_key').orderBy('id').limit(PEOPLE_FOUND_MAX)

/** People, or those of some ids, who match every word, best match first. */
const bestOf = (people: People, words: readonly string[], ids: readonly string[] | null) =>
  inOrder(
    people
      .where((eb) => eb.and(words.map(holds)))
      .$if(ids !== null, (few) => few.where('id', '=', sql<string>`any(${ids}::uuid[])`))
      .$if(words.length > 0, (ranked) =>
        ranked.orderBy(sql`picker_key like '% ' || ${patternOf(words[0]!)} || '%' desc`),
      ),
  ).execute()

/** Sorts after every letter. */
const LAST = '\u{10FFFF}'
/** The first matches of every word. Each part is read in index order until the result is full. */
async function firstOfMany(people: People, words: readonly string[]): Promise<NamedPerson[]> {
  const first = sql<string>`fold(${words[0]!})`
  const found = people.where(asIfCommon(sql.join(words.map(holds), sql` and `)))
  const parts = [
    inOrder(found.where('given_key', '>=', first).where('given_key', '<', sql<string>`${first} || ${LAST}`)),
    found
      .where('family_key', '>=', first)
      .where('family_key', '<', sql<string>`${first} || ${LAST}`)
      .select(NAMED)
      .orderBy('family_key')
      .orderBy('id')
      .limit(PEOPLE_FOUND_MAX),
    inOrder(found),
  ]
  const users = new Map<string, NamedPerson>()
  for (const part of parts)
    if (users.size < PEOPLE_FOUND_MAX) for (const user of await part.execute()) users.set(user.uuid, user)
  return [...users.values()].slice(0, PEOPLE_FOUND_MAX)
}

/** The known people among these, with the columns that decide whether they can be chosen. */
export const listKnown = (
  db: OrgDb,
  ids: readonly string[],
  by: Parameters<typeof knownTo>[0],
): Promise<(NamedPerson & { banned: boolean; dashboard_user: boolean })[]> =>
  db
    .selectFrom('users')
    .select([...NAMED, 'banned', 'dashboard_user'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where(knownTo(by))
    .execute()
