import { sql } from 'kysely'

import type { StaffMember } from '#contract/staff/schema.ts'
import { clock } from '#server/kit/clock.ts'
import type { ProviderDb } from '#server/kit/database/db.ts'
import type { Lookup } from '#server/kit/database/lookup.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    staff: {
      id: string
      email: string
      invited_by: string | null
      create_timestamp: string
      last_sign_in_timestamp: string | null
    }
    staff_links: {
      hash: Buffer
      staff_id: string
      expires_timestamp: string
      used_timestamp: string | null
    }
    staff_sessions: {
      id: string
      hash: Buffer
      staff_id: string
      create_timestamp: string
      expires_timestamp: string
    }
  }
}

/** The member behind a session. */
export interface StaffSessionRow {
  readonly id: string
  readonly staff_id: string
  readonly email: string
}

/** Finds the caller of a session that is not over, as long as the settings name them or somebody invited them. */
export const staffSessionLookup = (hash: Buffer, named: readonly string[]): Lookup => ({
  name: 'staff_session',
  sql: `select s.id, s.staff_id, m.email from staff_sessions s join staff m on m.id = s.staff_id
    where s.hash = decode($1::text, 'hex') and s.expires_timestamp > $2::timestamptz
      and (m.invited_by is not null or m.email = any (string_to_array($3::text, ',')))`,
  values: [hash.toString('hex'), clock.timestamp(), named.join()],
})

const MEMBER = [
  'id',
  'email',
  'invited_by as invitedBy',
  'create_timestamp as createTimestamp',
  'last_sign_in_timestamp as lastSignInTimestamp',
] as const

const isMember = (named: readonly string[]) =>
  sql<boolean>`(invited_by is not null or email = any(${named}::text[]))`

/** Members of staff by address. Rows of members whom the settings no longer name are left out. */
export const listStaff = (db: ProviderDb, named: readonly string[]): Promise<StaffMember[]> =>
  db.selectFrom('staff').select(MEMBER).where(isMember(named)).orderBy('email').execute()

export const findStaffByEmail = (
  db: ProviderDb,
  email: string,
  named: readonly string[],
): Promise<StaffMember | undefined> =>
  db.selectFrom('staff').select(MEMBER).where('email', '=', email).where(isMember(named)).executeTakeFirst()

export const findStaff = (
  db: ProviderDb,
  id: string,
  named: readonly string[],
): Promise<StaffMember | undefined> =>
  db.selectFrom('staff').select(MEMBER).where('id', '=', id).where(isMember(named)).executeTakeFirst()

/** Gives a row to each member whom the settings name and who has none yet. */
export async function insertNamed(db: ProviderDb, named: readonly string[], at: string): Promise<void> {
  if (named.length === 0) return
  await db
    .insertInto('staff')
    .values(
      named.map((email) => ({
        id: crypto.randomUUID(),
        email,
        invited_by: null,
        create_timestamp: at,
        last_sign_in_timestamp: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Adds a member, or makes one again whom the settings named before. */
export const upsertInvited = (
  db: ProviderDb,
  email: string,
  invitedBy: string,
  at: string,
): Promise<StaffMember> =>
  db
    .insertInto('staff')
    .values({
      id: crypto.randomUUID(),
      email,
      invited_by: invitedBy,
      create_timestamp: at,
      last_sign_in_timestamp: null,
    })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ invited_by: invitedBy }))
    .returning(MEMBER)
    .executeTakeFirstOrThrow()

/** Deletes a member with their links and sessions. */
export async function deleteStaff(db: ProviderDb, id: string): Promise<void> {
  await db.deleteFrom('staff').where('id', '=', id).execute()
}

export async function insertLink(
  db: ProviderDb,
  link: { hash: Buffer; staff_id: string; expires_timestamp: string },
): Promise<void> {
  await db
    .insertInto('staff_links')
    .values({ ...link, used_timestamp: null })
    .execute()
}

/** Uses a link up and returns whose it is; undefined when it was used, is too old or unknown. */
export async function updateLinkUsed(db: ProviderDb, hash: Buffer, at: string): Promise<string | undefined> {
  const row = await db
    .updateTable('staff_links')
    .set({ used_timestamp: at })
    .where('hash', '=', hash)
    .where('used_timestamp', 'is', null)
    .where('expires_timestamp', '>', at)
    .returning('staff_id')
    .executeTakeFirst()
  return row?.staff_id
}

export async function insertStaffSession(
  db: ProviderDb,
  session: { hash: Buffer; staff_id: string; create_timestamp: string; expires_timestamp: string },
): Promise<void> {
  await db
    .insertInto('staff_sessions')
    .values({ ...session, id: crypto.randomUUID() })
    .execute()
  await db
    .updateTable('staff')
    .set({ last_sign_in_timestamp: session.create_timestamp })
    .where('id', '=', session.staff_id)
    .execute()
}

/** Those of the sessions that are not over. */
export const listOpenSessions = async (
  db: ProviderDb,
  ids: readonly string[],
  named: readonly string[],
): Promise<string[]> => {
  const rows = await db
    .selectFrom('staff_sessions')
    .innerJoin('staff', 'staff.id', 'staff_sessions.staff_id')
    .select('staff_sessions.id')
    .where('staff_sessions.id', 'in', ids)
    .where('expires_timestamp', '>', clock.timestamp())
    .where(isMember(named))
    .execute()
  return rows.map(({ id }) => id)
}

/** When a session ends by itself. */
export async function findSessionEnd(db: ProviderDb, id: string): Promise<string> {
  const row = await db
    .selectFrom('staff_sessions')
    .select('expires_timestamp')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.expires_timestamp
}

export async function deleteStaffSession(db: ProviderDb, id: string): Promise<void> {
  await db.deleteFrom('staff_sessions').where('id', '=', id).execute()
}
