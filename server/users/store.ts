import { type ExpressionBuilder, type GeneratedAlways, type Kysely, type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'

import type { USER_SORT_FIELDS, usersApi } from '#contract/users/api.ts'
import type { DirectoryUser, UserRole, UserType } from '#contract/users/schema.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { lockFor, type OrgDb, type Tables } from '#server/kit/database/db.ts'
import { statement } from '#server/kit/database/statements.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    users: UserRow & UserKeys
    one_time_tokens: {
      hash: Buffer
      user_id: string
      purpose: TokenPurpose
      expires_timestamp: string
      used_timestamp: string | null
    }
  }
}

export interface UserRow {
  id: string
  email: string
  first_name: string
  last_name: string
  phone_number: string | null
  location: string | null
  department: string | null
  role: UserRole
  type: UserType
  active: boolean
  banned: boolean
  dashboard_user: boolean
  profile_image_url: string | null
  password_hash: string | null
  accepted_terms: boolean
  was_sent_activation_email: boolean
  last_login_timestamp: string | null
  create_timestamp: string
  update_timestamp: string
  version: number
}
/** What lists are sorted and searched by, kept by the database. */
interface UserKeys {
  family_key: GeneratedAlways<string>
  given_key: GeneratedAlways<string>
  search_key: GeneratedAlways<string>
}
export type TokenPurpose = 'activation' | 'reset'

const SHOWN = [
  'id',
  'email',
  'first_name',
  'last_name',
  'phone_number',
  'location',
  'department',
  'role',
  'type',
  'active',
  'banned',
  'dashboard_user',
  'profile_image_url',
  'was_sent_activation_email',
  'last_login_timestamp',
  'create_timestamp',
  'version',
] as const satisfies readonly (keyof UserRow)[]
const hasPassword = sql<boolean>`password_hash is not null`.as('has_password')

/** A user as administrators see one: whether there is a password, never its hash. */
export type ShownUser = Pick<UserRow, (typeof SHOWN)[number]> & { has_password: boolean }

export const findUserByEmail = (db: OrgDb, email: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

export const findUser = (db: OrgDb, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

export async function updateLastLogin(db: OrgDb, id: string, at: string): Promise<void> {
  await db.updateTable('users').set({ last_login_timestamp: at }).where('id', '=', id).execute()
}

export const findShownUser = (db: OrgDb, id: string): Promise<ShownUser | undefined> =>
  db
    .selectFrom('users')
    .select([...SHOWN, hasPassword])
    .where('id', '=', id)
    .executeTakeFirst()

/** The same, held until the transaction ends, so that what is decided about it stays true. */
export const holdUser = (db: OrgDb, id: string): Promise<ShownUser | undefined> =>
  db
    .selectFrom('users')
    .select([...SHOWN, hasPassword])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export type ListQuery = z.output<(typeof usersApi)['list']['query']>
/** What a list is filtered by and cut to; a word of the search each from `word0` on. */
type Asked = Omit<NonNullable<ListQuery['filter']>, 'q'> & { limit?: number; offset?: number } & {
  [word: `word${number}`]: string
}
type Order = `${keyof typeof BY} ${'ASC' | 'DESC'}`

/** The users that a filter asks for. Each word must be found somewhere. */
function matching(asked: Asked): (eb: ExpressionBuilder<Tables, 'users'>) => ReturnType<typeof eb.and> {
  const { active, role, type, id } = asked
  const words = Object.entries(asked).filter(([name]) => name.startsWith('word'))
  return (eb) =>
    eb.and([
      ...words.map(([, word]) => sql<boolean>`search_key like '%' || fold(${word}) || '%'`),
      ...(active === undefined ? [] : [eb('active', '=', active)]),
      ...(role === undefined ? [] : [eb('role', '=', role as UserRole)]),
      ...(type === undefined ? [] : [eb('type', '=', type as UserType)]),
      ...(id === undefined ? [] : [eb('id', '=', sql<string>`any(${id}::uuid[])`)]),
    ])
}

const BY: { readonly [F in (typeof USER_SORT_FIELDS)[number]]: RawBuilder<unknown> } = {
  firstName: sql`given_key`,
  lastName: sql`family_key`,
  email: sql`email`,
  role: sql`role`,
  type: sql`type`,
  // The order of a user's life, archived ones last.
  status: sql`case when not active then 4 when last_login_timestamp is not null then 0
    when password_hash is not null then 1 when was_sent_activation_email then 2 else 3 end`,
  // Whoever has none comes last, whichever the direction.
  location: sql`location is null, lower(location)`,
  department: sql`department is null, lower(department)`,
  // Whoever never signed in did so longest ago.
  lastLoginTimestamp: sql`coalesce(last_login_timestamp, '-infinity')`,
  createTimestamp: sql`create_timestamp`,
}

const countOf = (db: Kysely<Tables>, asked: Asked) =>
  db
    .selectFrom('users')
    .select(sql<number>`count(*)`.as('total'))
    .where(matching(asked))
const countUsers = statement<'', Asked, { total: number }>((db, _, asked) => countOf(db, asked))

const pageOfUsers = statement<Order, Asked, ShownUser & { total: number }>((db, order, asked) => {
  const [field, direction] = order.split(' ') as [keyof typeof BY, 'ASC' | 'DESC']
  return (
    db
      .selectFrom('users')
      .select([...SHOWN, hasPassword])
      // An index counts everybody at once; a search has to look at every row, and does so only once.
      .select('word0' in asked ? sql<number>`count(*) over ()`.as('total') : countOf(db, asked).as('total'))
      .where(matching(asked))
      .orderBy(sql`${BY[field]} ${sql.raw(direction)}`)
      .$if(field !== 'lastName', (page) => page.orderBy('family_key'))
      .orderBy('id', field === 'lastName' && direction === 'DESC' ? 'desc' : 'asc')
      .$if('limit' in asked, (page) =>
        page.limit(sql<number>`${asked.limit}`).offset(sql<number>`${asked.offset}`),
      )
  )
})

/** A page of users with the number of all that match, in one statement. */
export async function listUsers(db: OrgDb, query: ListQuery): Promise<Page<ShownUser>> {
  const { q = '', ...filter } = query.filter ?? {}
  const [field, direction] = query.sort ?? ['lastName', 'ASC']
  const words = q.split(/\s+/).filter((word) => word !== '')
  const asked: Asked = { ...filter }
  for (const [n, word] of words.entries()) asked[`word${n}`] = word.replace(/[\\%_]/g, '\\$&')
  const { range } = query
  const rows = await pageOfUsers(
    db,
    `${field} ${direction}`,
    range ? { ...asked, limit: range[1] - range[0] + 1, offset: range[0] } : asked,
  )
  // A page behind the end has no row that could carry the total.
  const total = rows[0]?.total ?? (range?.[0] ? (await countUsers(db, '', asked))[0]!.total : 0)
  return { rows, total }
}

export type NewRow = Pick<
  UserRow,
  'email' | 'first_name' | 'last_name' | 'phone_number' | 'location' | 'department' | 'role' | 'type'
>

type Standing = Partial<Pick<UserRow, 'password_hash' | 'accepted_terms' | 'was_sent_activation_email'>>

/** Adds a user; null when the address is taken, also by somebody who adds it at this moment. */
export async function insertUser(db: OrgDb, user: NewRow & Standing, at: string): Promise<ShownUser | null> {
  const [row] = await insertUsers(db, [user], at)
  return row ?? null
}

/** Adds users in one statement. Whose address is taken, also by somebody who is added at this moment, is left out. */
export const insertUsers = async (
  db: OrgDb,
  users: readonly (NewRow & Standing)[],
  at: string,
): Promise<ShownUser[]> =>
  users.length === 0
    ? []
    : db
        .insertInto('users')
        .values(
          users.map((user) => ({
            id: crypto.randomUUID(),
            active: true,
            banned: false,
            dashboard_user: false,
            profile_image_url: null,
            password_hash: null,
            accepted_terms: false,
            was_sent_activation_email: false,
            last_login_timestamp: null,
            ...user,
            create_timestamp: at,
            update_timestamp: at,
            version: 1,
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning([...SHOWN, hasPassword])
        .execute()

/** Changes a user and counts the version up. */
export const updateUser = (
  db: OrgDb,
  id: string,
  changes: Partial<Omit<NewRow, 'email'> & Pick<UserRow, 'active'>>,
  at: string,
): Promise<ShownUser> =>
  db
    .updateTable('users')
    .set({ ...changes, update_timestamp: at, version: sql`version + 1` })
    .where('id', '=', id)
    .returning([...SHOWN, hasPassword])
    .executeTakeFirstOrThrow()

/** Notes that links to set a password were mailed. */
export const updateActivationSent = (db: OrgDb, ids: readonly string[]): Promise<ShownUser[]> =>
  db
    .updateTable('users')
    .set({ was_sent_activation_email: true })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning([...SHOWN, hasPassword])
    .execute()

export async function updatePassword(db: OrgDb, id: string, hash: string, at: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: hash, update_timestamp: at })
    .where('id', '=', id)
    .execute()
}

/** Keeps what people decide about themselves and no form of an administrator shows: it makes none of those stale. */
export async function updateOwn(
  db: OrgDb,
  id: string,
  changes: Partial<Pick<UserRow, 'accepted_terms' | 'profile_image_url'>>,
  at: string,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ ...changes, update_timestamp: at })
    .where('id', '=', id)
    .execute()
}

/** How many administrators can sign in. Whoever asks goes one at a time, so that the last two cannot both step down. */
export async function countAdministrators(db: OrgDb): Promise<number> {
  await lockFor(db, 'administrators')
  const { count } = await db
    .selectFrom('users')
    .select(sql<number>`count(*)`.as('count'))
    .where('role', '=', 'ADMIN')
    .where('type', '=', 'INTERNAL')
    .where('active', '=', true)
    .where('banned', '=', false)
    .executeTakeFirstOrThrow()
  return count
}

/** Who is behind addresses, archived people included; who does not exist is missing. */
export const listByEmail = (
  db: OrgDb,
  emails: readonly string[],
): Promise<Pick<UserRow, 'id' | 'email' | 'active'>[]> =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'active'])
    .where('email', '=', sql<string>`any(${emails}::text[])`)
    .execute()

const LISTED = [
  'id as uuid',
  'first_name as firstName',
  'last_name as lastName',
  'email',
  'phone_number as phoneNumber',
  'role',
  'type',
  'active',
  'banned',
  'dashboard_user',
  'profile_image_url as profileImageUrl',
  'location',
  'department',
  'last_login_timestamp as lastLoginTimestamp',
  'was_sent_activation_email as wasSentActivationEmail',
  sql<boolean>`password_hash is not null`.as('hasPasswordSet'),
] as const

/** Everybody, active or not, by name as it is shown. */
export const listDirectory = (db: OrgDb): Promise<DirectoryUser[]> =>
  db.selectFrom('users').select(LISTED).orderBy('given_key').orderBy('id').execute()

/** Somebody external, and the people of the incidents that they are targeted in. */
export const listColleagues = (db: OrgDb, id: string): Promise<DirectoryUser[]> =>
  db
    .selectFrom('users')
    .select(LISTED)
    .where(
      sql<boolean>`id = ${id} or id in (
        with mine as (select incident_id from incident_targets where user_id = ${id})
        select user_id from incident_targets where incident_id in (select incident_id from mine)
        union select assigned_to from activities where incident_id in (select incident_id from mine)
        union select u.id from incidents i join users u on u.email = i.created_by
          where i.id in (select incident_id from mine)
      )`,
    )
    .orderBy('given_key')
    .orderBy('id')
    .execute()

export async function insertOneTimeTokens(
  db: OrgDb,
  tokens: readonly { hash: Buffer; user_id: string; purpose: TokenPurpose; expires_timestamp: string }[],
): Promise<void> {
  await db
    .insertInto('one_time_tokens')
    .values(tokens.map((token) => ({ ...token, used_timestamp: null })))
    .execute()
}

/** Whom a link lets in; undefined when it was used, is too old, or is for somebody else. */
export const findTokenHolder = (db: OrgDb, hash: Buffer, userId: string, at: string) =>
  db
    .selectFrom('one_time_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['u.id', 'u.email', 'u.first_name', 'u.last_name'])
    .where('t.hash', '=', hash)
    .where('t.user_id', '=', userId)
    .where('t.used_timestamp', 'is', null)
    .where('t.expires_timestamp', '>', at)
    .where('u.active', '=', true)
    .where('u.banned', '=', false)
    .executeTakeFirst()

/** Uses a link up, and with it every other link of the user. False when it was used meanwhile. */
export async function useOneTimeToken(db: OrgDb, hash: Buffer, userId: string, at: string): Promise<boolean> {
  // Held before the link is looked at, so that of two uses at once the second finds it used.
  await holdUser(db, userId)
  if (!(await findTokenHolder(db, hash, userId, at))) return false
  await updateTokensUsed(db, userId, at)
  return true
}

/** Uses up all links of a user. */
export async function updateTokensUsed(db: OrgDb, userId: string, at: string): Promise<void> {
  await db
    .updateTable('one_time_tokens')
    .set({ used_timestamp: at })
    .where('user_id', '=', userId)
    .where('used_timestamp', 'is', null)
    .execute()
}
