import { CompiledQuery, sql } from 'kysely'

import type { StaffRole } from '#contract/kit/access.ts'
import type { StaffMember } from '#contract/staff/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { ProviderDb } from '#server/kit/database/db.ts'
import type { Lookup } from '#server/kit/database/lookup.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    staff: {
      id: string
      email: string
      role: StaffRole
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
    staff_sign_ins: {
      hash: Buffer
      staff_id: string
      /** Encrypted secret of an authenticator app that is being enrolled. */
      secret: Buffer | null
      expires_timestamp: string
    }
    staff_sessions: {
      id: string
      hash: Buffer
      staff_id: string
      create_timestamp: string
      expires_timestamp: string
      has_second_factor: boolean
      /** Encrypted secret of an authenticator app that is being enrolled. */
      secret: Buffer | null
    }
  }
}

/** The settings that decide who is staff. */
export interface StaffSettings {
  /** Addresses of members named in the settings, who are administrators. */
  readonly staffEmails: readonly string[]
  readonly needsStaffSecondFactor: boolean
}
type Named = Pick<StaffSettings, 'staffEmails'>

/** The member behind a session. */
export interface StaffSessionRow {
  readonly id: string
  readonly staff_id: string
  readonly email: string
  readonly role: StaffRole
}

/**
 * Open sessions `s` with their members `m`: unexpired at `$1`, of somebody whom the settings name (`$2`) or who was
 * invited, and with a second factor where one is required (`$3`) or enrolled.
 */
const OPEN_SESSIONS = `select s.id, s.staff_id, m.email,
    case when m.email = any (string_to_array($2::text, ',')) then 'ADMINISTER' else m.role end as role
  from staff_sessions s join staff m on m.id = s.staff_id
  where s.expires_timestamp > $1::timestamptz
    and (m.invited_by is not null or m.email = any (string_to_array($2::text, ',')))
    and (s.has_second_factor or not ($3::boolean
      or exists (select from staff_authenticators a where a.user_id = m.id)))`
const openSessionValues = ({ staffEmails, needsStaffSecondFactor }: StaffSettings) => [
  clock.timestamp(),
  staffEmails.join(),
  String(needsStaffSecondFactor),
]

/** Finds the caller of an open session. */
export const staffSessionLookup = (hash: Buffer, settings: StaffSettings): Lookup => ({
  name: 'staff_session',
  sql: `${OPEN_SESSIONS} and s.hash = decode($4::text, 'hex')`,
  values: [...openSessionValues(settings), hash.toString('hex')],
})

const isNamed = ({ staffEmails }: Named) => sql<boolean>`email = any(${staffEmails}::text[])`
const members = (db: ProviderDb, settings: Named) =>
  db
    .selectFrom('staff')
    .select([
      'id',
      'email',
      'invited_by as invitedBy',
      'create_timestamp as createTimestamp',
      'last_sign_in_timestamp as lastSignInTimestamp',
      sql<StaffRole>`case when ${isNamed(settings)} then 'ADMINISTER' else role end`.as('role'),
      sql<boolean>`exists (select from staff_authenticators a where a.user_id = staff.id)`.as(
        'hasAuthenticator',
      ),
    ])
    .where(sql<boolean>`(invited_by is not null or ${isNamed(settings)})`)

/** Members of staff by address, without rows of members whom the settings no longer name. */
export const listStaff = (db: ProviderDb, settings: Named): Promise<StaffMember[]> =>
  members(db, settings).orderBy('email').execute()

export const findStaffByEmail = (
  db: ProviderDb,
  email: string,
  settings: Named,
): Promise<StaffMember | undefined> => members(db, settings).where('email', '=', email).executeTakeFirst()

export const findStaff = (db: ProviderDb, id: string, settings: Named): Promise<StaffMember | undefined> =>
  members(db, settings).where('id', '=', id).executeTakeFirst()

const NEW = { last_sign_in_timestamp: null } as const

/** Inserts rows for members whom the settings name and who have none yet. */
export async function insertNamed(db: ProviderDb, { staffEmails }: Named, at: string): Promise<void> {
  if (staffEmails.length === 0) return
  const row = { ...NEW, role: 'ADMINISTER', invited_by: null, create_timestamp: at } as const
  await db
    .insertInto('staff')
    .values(staffEmails.map((email) => ({ ...row, id: crypto.randomUUID(), email })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Adds a member, or reinvites one whom the settings named before. Returns the id. */
export async function upsertInvited(
  db: ProviderDb,
  { email, role }: { email: string; role: StaffRole },
  invitedBy: string,
  at: string,
): Promise<string> {
  const invited = { role, invited_by: invitedBy }
  const { id } = await db
    .insertInto('staff')
    .values({ ...NEW, ...invited, id: crypto.randomUUID(), email, create_timestamp: at })
    .onConflict((conflict) => conflict.column('email').doUpdateSet(invited))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateRole(db: ProviderDb, id: string, role: StaffRole): Promise<void> {
  await db.updateTable('staff').set({ role }).where('id', '=', id).execute()
}

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

/** Uses a link up and returns its owner; undefined when it was used, has expired or is unknown. */
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

export async function insertSignIn(
  db: ProviderDb,
  signIn: { hash: Buffer; staff_id: string; expires_timestamp: string },
): Promise<void> {
  await db
    .insertInto('staff_sign_ins')
    .values({ ...signIn, secret: null })
    .execute()
}

/** A pending sign-in, locked until the transaction ends; undefined when it has expired. */
export const holdSignIn = (db: ProviderDb, hash: Buffer, at: string) =>
  db
    .selectFrom('staff_sign_ins')
    .select(['staff_id', 'secret'])
    .where('hash', '=', hash)
    .where('expires_timestamp', '>', at)
    .forUpdate()
    .executeTakeFirst()

export async function updateSignInSecret(db: ProviderDb, hash: Buffer, secret: Buffer): Promise<void> {
  await db.updateTable('staff_sign_ins').set({ secret }).where('hash', '=', hash).execute()
}

export async function deleteSignIn(db: ProviderDb, hash: Buffer): Promise<void> {
  await db.deleteFrom('staff_sign_ins').where('hash', '=', hash).execute()
}

export async function insertStaffSession(
  db: ProviderDb,
  session: {
    hash: Buffer
    staff_id: string
    create_timestamp: string
    expires_timestamp: string
    has_second_factor: boolean
  },
): Promise<void> {
  await db
    .insertInto('staff_sessions')
    .values({ ...session, id: crypto.randomUUID(), secret: null })
    .execute()
  await db
    .updateTable('staff')
    .set({ last_sign_in_timestamp: session.create_timestamp })
    .where('id', '=', session.staff_id)
    .execute()
}

/** The secret of an authenticator app that a session is enrolling, locked until the transaction ends. */
export const holdSessionSecret = async (db: ProviderDb, id: string): Promise<Buffer | null> => {
  const row = await db
    .selectFrom('staff_sessions')
    .select('secret')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row?.secret ?? null
}

export async function updateSession(
  db: ProviderDb,
  id: string,
  changes: { secret: Buffer | null; has_second_factor?: boolean },
): Promise<void> {
  await db.updateTable('staff_sessions').set(changes).where('id', '=', id).execute()
}

/** Ends the sessions of a member except `but`, and their pending sign-ins. */
export async function deleteSessionsOf(db: ProviderDb, staffId: string, but?: string): Promise<void> {
  await db.deleteFrom('staff_sign_ins').where('staff_id', '=', staffId).execute()
  await db
    .deleteFrom('staff_sessions')
    .where('staff_id', '=', staffId)
    .$if(but !== undefined, (query) => query.where('id', '<>', but!))
    .execute()
}

/** Returns which of the sessions are open. */
export const listOpenSessions = async (
  db: ProviderDb,
  ids: readonly string[],
  settings: StaffSettings,
): Promise<string[]> => {
  const { rows } = await db.executeQuery<{ id: string }>(
    CompiledQuery.raw(`${OPEN_SESSIONS} and s.id = any ($4::uuid[])`, [...openSessionValues(settings), ids]),
  )
  return rows.map(({ id }) => id)
}

/** Expiry of a session. */
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
