import type { Config } from '#contract/config/catalogue.ts'
import type { UserRole, UserType } from '#contract/users/schema.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import { type ColumnsOf, selectionOf, selectionText, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Lookup } from '#server/kit/database/lookup.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    sessions: ColumnsOf<StoredSession>
    refresh_tokens: ColumnsOf<RefreshToken>
  }
}

interface StoredSession {
  id: string
  userId: string
  userAgent: string
  address: string
  createTimestamp: string
  endedTimestamp: string | null
  endReason: string | null
  /** Access tokens of an earlier generation are refused. */
  tokenGeneration: number
}
interface RefreshToken {
  hash: Buffer
  sessionId: string
  expiresTimestamp: string
  usedTimestamp: string | null
  /** Time of the first request with the access token issued together with this one. */
  receivedTimestamp: string | null
}

/** The organisation of a credential, with the columns that decide permissions. */
export interface CredentialOrganisation {
  readonly organisationId: string
  readonly code: string
  readonly displayName: string
  readonly config: Partial<Config>
  readonly globalConfig: Partial<Config> | null
  readonly hasChildren: boolean
}
/** Columns of the organisation that every credential's lookup needs. */
export const ORGANISATION_COLUMNS = `o.id as "organisationId", ${selectionText(['code', 'displayName', 'config'], 'o.')},
  (select jsonb_object_agg(key, value) from global_config) as "globalConfig",
  exists (select from organisations child where child.parent_id = o.id) as "hasChildren"`

/** The caller behind a session. */
export interface SessionRow extends CredentialOrganisation {
  readonly userId: string
  readonly email: string
  readonly role: UserRole
  readonly type: UserType
  readonly passwordChangeRequired: boolean
}

/** Longest life of a session, regardless of refreshes (decisions §3). */
export const SESSION_LIFE = 30 * DAY
/** Restricts the rest of an external person's transaction to incidents that target them. */
const NARROWED = `case when u.type = 'EXTERNAL'
  then set_config('app.viewer', u.id::text, true) || set_config('role', 'muster_external', true) end`

/**
 * Finds the caller of an active session, as a statement for the opening of a transaction.
 * @param generation that of an access token, which must equal the session's; tickets have none
 */
export const sessionLookup = (sessionId: string, generation?: number): Lookup => ({
  name: generation === undefined ? 'session' : 'session_of_token',
  sql: `select u.id as "userId", u.email, u.role, u.type,
     coalesce(s.create_timestamp >= u.password_change_since, false) as "passwordChangeRequired", ${NARROWED} as narrowed, ${ORGANISATION_COLUMNS}
   from sessions s join users u on u.id = s.user_id join organisations o on o.id = s.organisation_id
   where s.id = $1::uuid and s.ended_timestamp is null and u.active and not u.banned
     and s.create_timestamp > $2::timestamptz
     ${generation === undefined ? '' : 'and s.token_generation = $3::integer'}`,
  values: [
    sessionId,
    new Date(clock.now() - SESSION_LIFE).toISOString(),
    ...(generation === undefined ? [] : [String(generation)]),
  ],
})

export async function insertSession(
  db: OrgDb,
  session: Pick<StoredSession, 'userId' | 'userAgent' | 'address' | 'createTimestamp'>,
): Promise<string> {
  const row = await db
    .insertInto('sessions')
    .values({
      ...valuesOf(session),
      id: crypto.randomUUID(),
      ended_timestamp: null,
      end_reason: null,
      token_generation: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function insertRefreshToken(
  db: OrgDb,
  token: Omit<RefreshToken, 'usedTimestamp' | 'receivedTimestamp'>,
): Promise<void> {
  await db
    .insertInto('refresh_tokens')
    .values({ ...valuesOf(token), used_timestamp: null, received_timestamp: null })
    .execute()
}

/** A refresh token with its session and user. The row is locked, so that concurrent uses are serialised. */
export function findRefreshToken(db: OrgDb, hash: Buffer) {
  return db
    .selectFrom('refresh_tokens as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(selectionOf(['sessionId', 'expiresTimestamp', 'usedTimestamp', 'receivedTimestamp'], 't.'))
    .select(selectionOf(['endedTimestamp', 'createTimestamp', 'userId', 'tokenGeneration'], 's.'))
    .select(['u.active', 'u.banned'])
    .where('t.hash', '=', hash)
    .forUpdate(['t'])
    .executeTakeFirst()
}

export async function markRefreshTokenUsed(db: OrgDb, hash: Buffer, at: string): Promise<void> {
  await db.updateTable('refresh_tokens').set({ used_timestamp: at }).where('hash', '=', hash).execute()
}

/** Begins a new generation of a session's tokens and returns its number. */
export async function updateTokenGeneration(db: OrgDb, id: string): Promise<number> {
  const row = await db
    .updateTable('sessions')
    .set((eb) => ({ token_generation: eb('token_generation', '+', 1) }))
    .where('id', '=', id)
    .returning('token_generation')
    .executeTakeFirstOrThrow()
  return row.token_generation
}

export async function markRefreshTokenReceived(db: OrgDb, hash: Buffer, at: string): Promise<void> {
  await db
    .updateTable('refresh_tokens')
    .set({ received_timestamp: at })
    .where('hash', '=', hash)
    .where('received_timestamp', 'is', null)
    .execute()
}

/** Start of a session; undefined when it does not exist. */
export async function findSessionStart(db: OrgDb, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select(selectionOf(['createTimestamp']))
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.createTimestamp
}

/** Ends every active session of the organisation. */
export async function updateAllSessionsEnded(db: OrgDb, reason: string, at: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ ended_timestamp: at, end_reason: reason })
    .where('ended_timestamp', 'is', null)
    .execute()
}

/** Ends active sessions and returns them with their users. */
export async function updateSessionsEnded(
  db: OrgDb,
  which: { userId: string } | { sessionId: string },
  reason: string,
  at: string,
): Promise<Pick<StoredSession, 'id' | 'userId'>[]> {
  return db
    .updateTable('sessions')
    .set({ ended_timestamp: at, end_reason: reason })
    .where('ended_timestamp', 'is', null)
    .$if('userId' in which, (query) => query.where('user_id', '=', 'userId' in which ? which.userId : ''))
    .$if('sessionId' in which, (query) => query.where('id', '=', 'sessionId' in which ? which.sessionId : ''))
    .returning(selectionOf(['id', 'userId']))
    .execute()
}
