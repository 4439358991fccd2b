import { type Config, configOf } from '#contract/config/catalogue.ts'
import { pick } from '#contract/kit/pick.ts'
import type { RefreshedTokens, SessionData, SessionUser } from '#contract/sessions/schema.ts'
import { PHONE_FIELDS } from '#contract/kit/phone-fields.ts'
import { permissionsOf } from '#contract/users/rules.ts'
import { clock, HOUR, SECOND } from '#server/kit/core/clock.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import { openToken, sealToken } from '#server/kit/security/secrets.ts'
import type { Caller, Credential } from '#server/kit/http/serve.ts'
import type { AccessClaims } from '#server/kit/security/tokens.ts'
import type { Services } from '#server/kit/services.ts'
import { deleteAllPending, deletePending } from './sign-in.store.ts'
import { findUser, updateLastLogin, type UserRow } from '#server/users/store.ts'

import {
  findRefreshToken,
  insertRefreshToken,
  insertSession,
  markRefreshTokenReceived,
  markRefreshTokenUsed,
  SESSION_LIFE,
  sessionLookup,
  type SessionRow,
  updateAllSessionsEnded,
  updateSessionsEnded,
  updateTokenGeneration,
} from './store.ts'

/** Life of a refresh token (decisions §3). */
const REFRESH_LIFE = 12 * HOUR
/** A used refresh token returns its unused successor for this long even where that was received: tabs may race. */
const REPEAT_WITHIN = 30 * SECOND
const REFRESH: EventActor = { kind: 'system', id: null, name: 'refresh' }
const SESSION_OVER = 'Your session has ended. Please sign in again.'

export const sessionUser = (user: UserRow, passwordChangeRequired: boolean): SessionUser => ({
  uuid: user.id,
  firstName: user.firstName,
  lastName: user.lastName,
  email: user.email,
  ...pick(user, PHONE_FIELDS),
  role: user.role,
  type: user.type,
  profileImageUrl: user.profileImageUrl,
  lastUpdateTimestamp: user.updateTimestamp,
  acceptedTerms: user.acceptedTerms,
  passwordChangeRequired,
})

/** Reads a bearer token; the session behind it is proven when the organisation is opened. */
export async function sessionCredential(
  services: Services,
  token: string,
  code: string | undefined,
): Promise<Credential> {
  const claims = await services.tokens.readAccess(token)
  if (!claims) throw new Refusal(401, SESSION_OVER)
  if (!code)
    throw new Refusal(401, 'The header Enterprise-Code is missing.', { code: 'enterprise_code_missing' })
  return {
    organisationId: claims.organisationId,
    lookup: sessionLookup(claims.sessionId, claims.generation ?? 0),
    caller: (row) => callerOf(row as SessionRow | undefined, claims, code),
  }
}

/** The credential of claims that were verified elsewhere, such as those of a live socket's ticket. */
export const sessionCredentialOf = (claims: { organisationId: string; sessionId: string }): Credential => ({
  organisationId: claims.organisationId,
  lookup: sessionLookup(claims.sessionId),
  caller: (row) => callerOf(row as SessionRow | undefined, claims, null),
})

/**
 * The caller from a row of `sessionLookup` or a similar one.
 * @throws Refusal 401
 */
export function callerOf(
  row: SessionRow | undefined,
  { sessionId, refreshHash }: { sessionId: string | null; refreshHash?: string | undefined },
  code: string | null,
): Caller {
  if (!row) throw new Refusal(401, SESSION_OVER)
  if (code !== null && row.code !== code)
    throw new Refusal(401, 'This session belongs to another organization.', { code: 'wrong_organization' })
  const config = configOf(row.config, row.globalConfig ?? {})
  return {
    kind: 'person',
    id: row.userId,
    name: row.email,
    role: row.role,
    type: row.type,
    passwordChangeRequired: row.passwordChangeRequired,
    permissions: permissionsOf(row, config, row.hasChildren),
    sessionId,
    refreshHash,
    organisation: { id: row.organisationId, code: row.code, displayName: row.displayName },
    config,
  }
}

export const personOf = (user: { id: string; email: string }): EventActor => ({
  kind: 'person',
  id: user.id,
  name: user.email,
})

async function issueTokens(
  services: Services,
  db: OrgDb,
  ids: AccessClaims,
  refresh: { token: string; hash: Buffer },
  sessionStart: string,
) {
  const expires = Math.min(clock.now() + REFRESH_LIFE, Date.parse(sessionStart) + SESSION_LIFE)
  const expiresAt = new Date(expires).toISOString()
  await insertRefreshToken(db, {
    hash: refresh.hash,
    sessionId: ids.sessionId,
    expiresTimestamp: expiresAt,
  })
  const access = await services.tokens.issueAccess(ids)
  return { access, refreshToken: refresh.token, expiresAt }
}

/** Origin of a session. */
export interface From {
  readonly address: string
  readonly userAgent: string
}

/** Begins a session for a person who passed every required factor. */
export async function startSession(
  services: Services,
  db: OrgDb,
  of: { user: UserRow; organisationId: string; config: Config; hasChildren: boolean },
  from: From,
): Promise<SessionData> {
  const { user, organisationId } = of
  const now = clock.timestamp()
  const sessionId = await insertSession(db, {
    userId: user.id,
    userAgent: from.userAgent.slice(0, 500),
    address: from.address,
    createTimestamp: now,
  })
  const ids = { userId: user.id, organisationId, sessionId }
  const tokens = await issueTokens(services, db, ids, sealToken('mr', organisationId), now)
  await updateLastLogin(db, user.id, now)
  record(db, { noun: 'sessions', record: sessionId, parent: user.id, verb: 'started' })
  return {
    isSuccess: true,
    authenticationToken: tokens.access.token,
    authenticationTokenExpiry: tokens.access.expiresAt,
    cueRefreshToken: tokens.refreshToken,
    uuid: user.id,
    userIdHash: services.tokens.userIdHash(user.id),
    user: sessionUser(user, user.passwordChangeSince !== null),
    permissions: permissionsOf(user, of.config, of.hasChildren),
  }
}

const claimsOf = (
  token: { userId: string; sessionId: string; tokenGeneration: number },
  organisationId: string,
): AccessClaims => ({
  userId: token.userId,
  organisationId,
  sessionId: token.sessionId,
  generation: token.tokenGeneration,
})

const toReply = ({
  access,
  refreshToken,
  expiresAt,
}: Awaited<ReturnType<typeof issueTokens>>): RefreshedTokens => ({
  authenticationToken: access.token,
  authenticationTokenExpiry: access.expiresAt,
  refreshToken,
  expiresAt,
})

/**
 * The successor of a refresh token. Derived with the installation's secret, so that a repeated request gets an equal
 * successor although only its hash is stored.
 */
const successorOf = ({ secrets }: Services, refreshToken: string, organisationId: string) =>
  sealToken(
    'mr',
    organisationId,
    Buffer.from(secrets.hash('refresh successor', refreshToken), 'hex').toString('base64url'),
  )

/** Token hashes in claims of access tokens: see `AccessClaims.refreshHash`. */
const claimOf = (hash: Buffer): string => hash.toString('base64url')

/** Number of received refresh tokens that are cached. */
const RECEIVED_MAX = 10_000

/**
 * Notes the arrival of a refresh response with the first request that uses its access token. From then on the token
 * before it is not exchanged again. A failed note is repeated with the next request.
 */
export class ReceivedTokens {
  readonly #known = new Set<string>()
  readonly #database: Services['database']
  readonly #onError: (error: unknown) => void

  constructor(database: Services['database'], onError: (error: unknown) => void) {
    this.#database = database
    this.#onError = onError
  }

  note({ organisation, refreshHash }: Pick<Caller, 'organisation' | 'refreshHash'>): void {
    if (refreshHash === undefined || this.#known.has(refreshHash)) return
    if (this.#known.size >= RECEIVED_MAX) this.#known.delete(this.#known.values().next().value!)
    this.#known.add(refreshHash)
    const hash = Buffer.from(refreshHash, 'base64url')
    this.#database
      .withOrganisation({ organisationId: organisation.id, actor: () => REFRESH }, (db) =>
        markRefreshTokenReceived(db, hash, clock.timestamp()),
      )
      .catch((error: unknown) => {
        this.#known.delete(refreshHash)
        this.#onError(error)
      })
  }
}

/**
 * Exchanges a refresh token for new tokens. A used token returns its successor again until that is used: the response
 * was lost or is late. Otherwise the token has leaked and the session ends.
 * @throws Refusal 401
 */
export async function refreshSession(services: Services, refreshToken: string): Promise<RefreshedTokens> {
  const opened = openToken('mr', refreshToken)
  if (!opened) throw new Refusal(401, SESSION_OVER)
  const { organisationId, hash } = opened
  const result = await services.database.withOrganisation(
    { organisationId, actor: () => REFRESH },
    async (db) => {
      const token = await findRefreshToken(db, hash)
      if (!token || token.endedTimestamp || !token.active || token.banned) return null
      const now = clock.now()
      if (Date.parse(token.createTimestamp) + SESSION_LIFE <= now) return null
      const ids = claimsOf(token, organisationId)
      const successor = successorOf(services, refreshToken, organisationId)
      if (token.usedTimestamp) {
        const issued = await findRefreshToken(db, successor.hash)
        const isRecent = now - Date.parse(token.usedTimestamp) <= REPEAT_WITHIN
        if (issued && !issued.usedTimestamp && (isRecent || !issued.receivedTimestamp)) {
          if (Date.parse(issued.expiresTimestamp) <= now) return null
          const refreshHash = claimOf(successor.hash)
          const access = await services.tokens.issueAccess({ ...ids, refreshHash })
          return { access, refreshToken: successor.token, expiresAt: issued.expiresTimestamp }
        }
        await endSessions(db, { sessionId: token.sessionId }, 'refresh token used twice')
        return null
      }
      if (Date.parse(token.expiresTimestamp) <= now) return null
      await markRefreshTokenUsed(db, hash, clock.timestamp())
      const claims = { ...ids, refreshHash: claimOf(successor.hash) }
      return issueTokens(services, db, claims, successor, token.createTimestamp)
    },
  )
  // Thrown after the transaction, so that the end of a stolen session is committed.
  if (!result) throw new Refusal(401, SESSION_OVER)
  return toReply(result)
}

/**
 * Replaces all tokens of the caller's session: earlier access tokens are refused from now on. Returns undefined, and
 * changes nothing, where the refresh token is used up, expired or of another session.
 */
export async function replaceTokens(
  services: Services,
  db: OrgDb,
  { sessionId, organisation }: Pick<Caller, 'sessionId' | 'organisation'>,
  refreshToken: string,
): Promise<RefreshedTokens | undefined> {
  const hash = openToken('mr', refreshToken)?.hash
  const token = hash && (await findRefreshToken(db, hash))
  const isNext =
    token?.sessionId === sessionId &&
    !token?.usedTimestamp &&
    Date.parse(token?.expiresTimestamp ?? '') > clock.now()
  if (!token || !hash || !isNext) return undefined
  await markRefreshTokenUsed(db, hash, clock.timestamp())
  const generation = await updateTokenGeneration(db, token.sessionId)
  const successor = successorOf(services, refreshToken, organisation.id)
  const refreshHash = claimOf(successor.hash)
  const claims = { ...claimsOf(token, organisation.id), generation, refreshHash }
  return toReply(await issueTokens(services, db, claims, successor, token.createTimestamp))
}

/**
 * Ends sessions: their tokens are refused from now on and their live sockets close. All sessions of a user end with the
 * user's pending sign-ins.
 */
export async function endSessions(
  db: OrgDb,
  which: { userId: string } | { sessionId: string },
  reason: string,
): Promise<void> {
  if ('userId' in which) await deletePending(db, which)
  for (const { id, userId } of await updateSessionsEnded(db, which, reason, clock.timestamp())) {
    record(db, {
      noun: 'sessions',
      record: id,
      parent: userId,
      verb: 'ended',
      changes: { reason: { from: null, to: reason } },
    })
  }
}

/**
 * Ends all sessions and pending sign-ins of an organisation that closes. The event that closes it closes the live
 * sockets.
 */
export async function endAllSessions(db: OrgDb, reason: string): Promise<void> {
  await deleteAllPending(db)
  await updateAllSessionsEnded(db, reason, clock.timestamp())
}

export async function findMe(db: OrgDb, caller: Caller) {
  const user = await findUser(db, caller.id)
  if (!user) throw new Refusal(401, SESSION_OVER)
  return { user: sessionUser(user, caller.passwordChangeRequired), userPermissions: [...caller.permissions] }
}
