import { jwtVerify, SignJWT } from 'jose'

import * as z from 'zod/mini'

import { clock, MINUTE } from '../core/clock.ts'
import { PROVIDER_ID } from '../database/db.ts'
import { deriveKey, keyedHash } from './secrets.ts'

/** Claims of an access token. */
export interface AccessClaims {
  readonly userId: string
  readonly organisationId: string
  readonly sessionId: string
  /** Number of times that the session's tokens were replaced; 0 by default. */
  readonly generation?: number
  /** Hash of the refresh token exchanged for it; undefined for a token of a sign-in. */
  readonly refreshHash?: string | undefined
}
/** A ticket for the live socket: an access token's claims, valid once. */
export interface TicketClaims extends AccessClaims {
  readonly ticketId: string
}

/** Claims of a console socket. */
export interface ConsoleClaims {
  readonly staffId: string
  readonly sessionId: string
}

export interface Tokens {
  issueAccess(claims: AccessClaims): Promise<{ token: string; expiresAt: string }>
  /** The claims of a valid, unexpired token; null otherwise. */
  readAccess(token: string): Promise<AccessClaims | null>
  issueTicket(claims: AccessClaims): Promise<{ ticket: string; expiresAt: string }>
  readTicket(ticket: string): Promise<TicketClaims | null>
  /** A ticket for the console's live socket. Neither socket accepts the other's ticket. */
  issueConsoleTicket(claims: ConsoleClaims): Promise<{ ticket: string; expiresAt: string }>
  readConsoleTicket(ticket: string): Promise<(ConsoleClaims & { readonly ticketId: string }) | null>
  /** A pseudonym of the user for other services. */
  userIdHash(userId: string): string
}

/** Life of an access token (decisions §3). */
export const ACCESS_LIFE = 15 * MINUTE
const TICKET_LIFE = MINUTE
/** Cached verified tokens. */
const PROVEN_MAX = 10_000
/** Required claims: without them a token would never expire, or belong to no session. */
const Claims = z.object({
  sub: z.guid(),
  org: z.guid(),
  sid: z.guid(),
  exp: z.number(),
  gen: z.optional(z.int()),
  jti: z.optional(z.guid()),
  rth: z.optional(z.string()),
})
type Proven = TicketClaims & { readonly expires: number }

/** Signs and reads tokens with keys derived from the installation's secret. */
export function makeTokens(secret: Buffer): Tokens {
  const key = deriveKey(secret, 'access tokens')
  const hashKey = deriveKey(secret, 'user id hash')

  async function issue(audience: string, claims: AccessClaims, life: number, id?: string) {
    const expires = clock.now() + life
    const jwt = new SignJWT({
      org: claims.organisationId,
      sid: claims.sessionId,
      gen: claims.generation,
      ...(claims.refreshHash !== undefined && { rth: claims.refreshHash }),
    })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(claims.userId)
      .setAudience(audience)
      .setIssuedAt(Math.floor(clock.now() / 1_000))
      .setExpirationTime(Math.floor(expires / 1_000))
    if (id) jwt.setJti(id)
    return {
      token: await jwt.sign(key),
      expiresAt: new Date(Math.floor(expires / 1_000) * 1_000).toISOString(),
    }
  }
  async function read(audience: string, token: string): Promise<Proven | null> {
    try {
      const { payload } = await jwtVerify(token, key, {
        audience,
        algorithms: ['HS256'],
        currentDate: new Date(clock.now()),
      })
      const { sub, org, sid, exp, gen, jti, rth } = z.parse(Claims, payload)
      return {
        userId: sub,
        organisationId: org,
        sessionId: sid,
        generation: gen ?? 0,
        refreshHash: rth,
        ticketId: jti ?? '',
        expires: exp * 1_000,
      }
    } catch {
      return null
    }
  }
  // Cached, because verifying a signature takes longer than a small call and the result holds until the token expires.
  // The database is asked about the session each time.
  const proven = new Map<string, Proven>()
  async function readAccess(token: string): Promise<AccessClaims | null> {
    const known = proven.get(token)
    if (known && known.expires > clock.now()) return known
    proven.delete(token)
    const claims = await read('access', token)
    if (!claims) return null
    if (proven.size >= PROVEN_MAX) proven.delete(proven.keys().next().value!)
    proven.set(token, claims)
    return claims
  }

  async function issueTicketFor(audience: string, claims: AccessClaims) {
    const { token, expiresAt } = await issue(audience, claims, TICKET_LIFE, crypto.randomUUID())
    return { ticket: token, expiresAt }
  }
  async function readTicketFor(audience: string, ticket: string): Promise<TicketClaims | null> {
    const claims = await read(audience, ticket)
    // Without an id it could open the socket more than once.
    return claims?.ticketId ? claims : null
  }

  return {
    issueAccess: (claims) => issue('access', claims, ACCESS_LIFE),
    readAccess,
    issueTicket: (claims) => issueTicketFor('live', claims),
    readTicket: (ticket) => readTicketFor('live', ticket),
    issueConsoleTicket: ({ staffId, sessionId }) =>
      issueTicketFor('console live', { userId: staffId, organisationId: PROVIDER_ID, sessionId }),
    async readConsoleTicket(ticket) {
      const claims = await readTicketFor('console live', ticket)
      return claims && { staffId: claims.userId, sessionId: claims.sessionId, ticketId: claims.ticketId }
    },
    userIdHash: (userId) => keyedHash(hashKey, userId),
  }
}
