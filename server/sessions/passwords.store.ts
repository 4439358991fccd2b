import { sql } from 'kysely'

import { selectionOf } from '#server/kit/database/columns.ts'
import type { OrgDb, ProviderDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    past_passwords: { user_id: string; password_hash: string }
  }
}

/** Hashes of the last `count` passwords of a user, including the current one. */
export async function listLastPasswords(db: OrgDb, userId: string, count: number): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select password_hash as hash from users where id = ${userId} and password_hash is not null
    union all
    (select password_hash from past_passwords where user_id = ${userId} order by id desc limit ${count - 1})`.execute(
    db,
  )
  return rows.map(({ hash }) => hash)
}

/** Stores the current password as a former one, and deletes all but the last `count`. */
export async function insertPastPassword(db: OrgDb, userId: string, count: number): Promise<void> {
  await sql`
    insert into past_passwords (user_id, password_hash)
    select id, password_hash from users where id = ${userId} and password_hash is not null`.execute(db)
  await sql`
    delete from past_passwords where user_id = ${userId} and id not in (
      select id from past_passwords where user_id = ${userId} order by id desc limit ${count})`.execute(db)
}

/** Organisations in which an address has an account that can sign in, by code. */
export const listOrganisationsOf = (
  db: ProviderDb,
  email: string,
): Promise<{ id: string; code: string; displayName: string; firstName: string }[]> =>
  db
    .selectFrom('users as u')
    // Uses the tenant column, unlike other stores, because the query searches across organisations.
    .innerJoin('organisations as o', (join) => join.on(sql<boolean>`o.id = u.organisation_id`))
    .select([...selectionOf(['id', 'code', 'displayName'], 'o.'), ...selectionOf(['firstName'], 'u.')])
    .where('u.email', '=', email)
    .where('o.is_closed', '=', false)
    .where('u.active', '=', true)
    .where('u.banned', '=', false)
    .orderBy('o.code')
    .execute()
