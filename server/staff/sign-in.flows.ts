import { CODE_INCORRECT } from '#contract/verifications/schema.ts'
import { type Enrolment, INVALID_CODE, SIGN_IN_OVER } from '#contract/sessions/schema.ts'
import {
  type CurrentStaff,
  type Environment,
  ENVIRONMENTS,
  LINK_EXPIRED,
  type LinkRequest,
  LOCAL,
  type StaffMember,
  type StaffSession,
  type StaffSignIn,
} from '#contract/staff/schema.ts'
import { clock, HOUR, MINUTE, noSoonerThan } from '#server/kit/core/clock.ts'
import type { EventActor, ProviderDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { demand, Refusal, wrongField } from '#server/kit/core/refusal.ts'
import type { PublicContext, StaffCaller, StaffCredential } from '#server/kit/http/serve.ts'
import { emailMessage } from '#server/kit/messages/email-messages.ts'
import { newToken, tokenHash } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'
import {
  ENROLLED_ALREADY,
  enrolmentOf,
  newSecret,
  type Person,
  takeCode,
  type Waiting,
} from '#server/second-factors/flows.ts'

import {
  deleteSessionsOf,
  deleteSignIn,
  deleteStaffSession,
  findSessionEnd,
  findStaff,
  findStaffByEmail,
  holdSessionSecret,
  holdSignIn,
  insertLink,
  insertNamed,
  insertSignIn,
  insertStaffSession,
  staffSessionLookup,
  type StaffSessionRow,
  updateLinkUsed,
  updateSession,
  updateSignInSecret,
} from './store.ts'

/** Life of a magic link (decisions §3). */
const LINK_LIFE = 15 * MINUTE
/** Life of a console session, which is not renewed. */
const SESSION_LIFE = 12 * HOUR
/** Least duration of a link request in milliseconds, so that its timing does not reveal who is staff. */
const ANSWERED_AFTER_MS = 250
const SIGN_IN: EventActor = { kind: 'system', id: null, name: 'console sign-in' }
const PREFIX = 'mc_'
const TOKEN = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{43}$`)
const SIGNED_OUT = 'Please sign in.'
/** Life of a pending sign-in. */
const SIGN_IN_LIFE = 20 * MINUTE

/**
 * Reads the bearer token of the console; the session behind it is proven when the transaction is opened.
 * @throws Refusal 401 for anything else, such as a token of an organisation or an API key
 */
export async function staffCredential(
  { settings }: Services,
  authorization: string | undefined,
): Promise<StaffCredential> {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  if (!token || !TOKEN.test(token)) throw new Refusal(401, SIGNED_OUT)
  return {
    lookup: staffSessionLookup(tokenHash(token), settings),
    caller: (row) => {
      if (!row) throw new Refusal(401, SIGNED_OUT)
      const { id, staff_id, email, role } = row as StaffSessionRow
      return { kind: 'staff', role, id: staff_id, name: email, sessionId: id }
    },
  }
}

/** The provider's installations; this one is Local. */
export const environmentsOf = (
  { settings, origins }: Services,
  request: PublicContext['request'],
): Environment[] =>
  ENVIRONMENTS.map((name) => ({
    name,
    url: name === LOCAL ? origins.of(request) : (settings.environments[name] ?? null),
  }))

/**
 * Mails a link that signs a member of staff in. Response and timing do not reveal whether there is such a member.
 * @throws Refusal 400 where the link would lead away from the product, 429
 */
export async function requestLink(
  services: Services,
  { email, feUrl }: LinkRequest,
  { request, address }: Pick<PublicContext, 'request' | 'address'>,
): Promise<void> {
  const { attempts, database, origins, settings } = services
  const origin = URL.canParse(feUrl) ? new URL(feUrl).origin : null
  if (origin === null || !origins.includes(origin, request))
    throw wrongField('feUrl', 'This is not an address of this installation.')
  const tooMany =
    (await attempts.takeMailFrom(database.directory, address)) ??
    (await attempts.takeMail(database.directory, 'magic link', email))
  if (tooMany) throw tooMany
  await noSoonerThan(ANSWERED_AFTER_MS, () =>
    database.withProvider(SIGN_IN, async (db) => {
      await insertNamed(db, settings, clock.timestamp())
      const member = await findStaffByEmail(db, email, settings)
      if (!member) return
      const id = newToken()
      const expires_timestamp = new Date(clock.now() + LINK_LIFE).toISOString()
      await insertLink(db, { hash: tokenHash(id), staff_id: member.id, expires_timestamp })
      await services.post.mail(db, { to: email, ...linkEmail(`${origin}/management?id=${id}`) })
      record(db, { noun: 'staff', record: member.id, verb: 'link requested' })
    }),
  )
}

const linkEmail = (href: string) =>
  emailMessage({
    subject: 'Sign in to the Muster management console',
    before: ['This link signs you in to the management console:'],
    link: { href, label: 'Sign in' },
    after: [
      'The link works once, and for 15 minutes.',
      'If you did not ask for it, you can ignore this message.',
    ],
  })

/** The owner of a member's second factors. */
const personOf = ({ id, email }: Pick<StaffMember, 'id' | 'email'>): Person => ({
  kind: 'staff',
  id,
  email,
  firstName: email,
  organisation: { code: 'console', displayName: 'the Muster management console' },
})
const waitingFor = (person: Person, challengeId: string, secret: Buffer | null): Waiting => ({
  person,
  type: 'TOTP',
  challengeId,
  challenge: { codeHash: null, codeExpiresTimestamp: null, nextCodeTimestamp: null, secret },
})

/** Starts the session of a member who passed every required factor. */
async function startSession(
  db: ProviderDb,
  { id, email, role }: StaffMember,
  has_second_factor: boolean,
): Promise<StaffSession> {
  const token = `${PREFIX}${newToken()}`
  const expiresAt = new Date(clock.now() + SESSION_LIFE).toISOString()
  await insertStaffSession(db, {
    hash: tokenHash(token),
    staff_id: id,
    create_timestamp: clock.timestamp(),
    expires_timestamp: expiresAt,
    has_second_factor,
  })
  record(db, { noun: 'staff', record: id, verb: 'signed in' })
  return { token, email, role, expiresAt }
}

/**
 * Uses up the secret of a mailed link: begins a session, or a sign-in that waits for the second factor where one is
 * required or enrolled.
 * @throws Refusal 400 when the link was used, has expired or is unknown; 429, which leaves the link unused
 */
export function beginStaffSession(
  { attempts, database, settings }: Services,
  linkId: string,
  address: string,
): Promise<StaffSignIn> {
  return database.withProvider(SIGN_IN, async (db) => {
    const staffId = await updateLinkUsed(db, tokenHash(linkId), clock.timestamp())
    const member = staffId && (await findStaff(db, staffId, settings))
    if (!member) throw new Refusal(400, LINK_EXPIRED, { code: 'link_expired' })
    const { id, email, hasAuthenticator } = member
    if (!hasAuthenticator && !settings.needsStaffSecondFactor) return startSession(db, member, false)
    const lockedOut = await attempts.refusal(db, attempts.codes(id, address).keys)
    if (lockedOut) throw lockedOut
    const token = newToken()
    const expires_timestamp = new Date(clock.now() + SIGN_IN_LIFE).toISOString()
    await insertSignIn(db, { hash: tokenHash(token), staff_id: id, expires_timestamp })
    return { isSuccess: false, email, temporaryAuthenticationToken: token, initialized: hasAuthenticator }
  })
}

/**
 * Opens and locks the sign-in of a token, unless the member or the address is locked out. A returned refusal is
 * committed before it is thrown.
 * @throws Refusal 401, 429
 */
async function inSignIn<T>(
  { attempts, database, settings }: Services,
  token: string,
  address: string,
  work: (db: ProviderDb, member: StaffMember, secret: Buffer | null) => Promise<T | Refusal>,
): Promise<T> {
  const result = await database.withProvider(SIGN_IN, async (db) => {
    const signIn = await holdSignIn(db, tokenHash(token), clock.timestamp())
    const member = signIn && (await findStaff(db, signIn.staff_id, settings))
    if (!member) return new Refusal(401, SIGN_IN_OVER, { code: 'sign_in_over' })
    const lockedOut = await attempts.refusal(db, attempts.codes(member.id, address).keys)
    return lockedOut ?? work(db, member, signIn.secret)
  })
  if (result instanceof Refusal) throw result
  return result
}

/**
 * Completes a sign-in with a code of the authenticator app, or a recovery code.
 * @throws Refusal 401, 429
 */
export const confirmStaffSignIn = (
  services: Services,
  input: { confirmationCode: string; temporaryAuthenticationToken: string; enrols: boolean },
  address: string,
): Promise<StaffSession> => {
  const { temporaryAuthenticationToken: token, confirmationCode: code, enrols } = input
  const hash = tokenHash(token)
  return inSignIn(services, token, address, async (db, member, secret) => {
    const waiting = waitingFor(personOf(member), hash.toString('hex'), secret)
    const outcome = await takeCode(services, db, waiting, { code, enrols, address })
    if (outcome instanceof Refusal) return outcome
    if (outcome === 'wrong') return new Refusal(401, INVALID_CODE)
    if (outcome.recoveryCodes) await deleteSessionsOf(db, member.id)
    await deleteSignIn(db, hash)
    return { ...(await startSession(db, member, true)), ...outcome }
  })
}

/**
 * The secret to enrol an authenticator app in a sign-in; a repeated request returns it again.
 * @throws Refusal 401, 409, 429
 */
export async function beginSignInEnrolment(
  services: Services,
  token: string,
  address: string,
): Promise<Enrolment> {
  const { secret, person } = await inSignIn(services, token, address, async (db, member, kept) => {
    if (member.hasAuthenticator) return new Refusal(409, ENROLLED_ALREADY)
    const sealed = kept ?? newSecret(services, member.id)
    if (!kept) await updateSignInSecret(db, tokenHash(token), sealed)
    return { secret: sealed, person: personOf(member) }
  })
  return enrolmentOf(services, secret, person)
}

/** The signed-in member. */
export async function currentStaff(
  { settings }: Services,
  db: ProviderDb,
  { id, name: email, role, sessionId }: StaffCaller,
): Promise<CurrentStaff> {
  const member = await findStaff(db, id, settings)
  return {
    id,
    email,
    role,
    expiresAt: await findSessionEnd(db, sessionId),
    hasAuthenticator: member?.hasAuthenticator ?? false,
  }
}

const callerAsPerson = ({ id, name: email }: StaffCaller) => personOf({ id, email })

/**
 * The secret to enrol an authenticator app voluntarily; a repeated request in the session returns it again.
 * @throws Refusal 409
 */
export async function beginOwnEnrolment(
  services: Services,
  db: ProviderDb,
  caller: StaffCaller,
): Promise<Enrolment> {
  const member = await findStaff(db, caller.id, services.settings)
  demand(!member?.hasAuthenticator, 409, ENROLLED_ALREADY)
  const kept = await holdSessionSecret(db, caller.sessionId)
  const secret = kept ?? newSecret(services, caller.id)
  if (!kept) await updateSession(db, caller.sessionId, { secret })
  return enrolmentOf(services, secret, callerAsPerson(caller))
}

/**
 * Enrols the authenticator app of a code. Ends the member's sessions that were begun without one.
 * @throws Refusal 409
 */
export async function confirmOwnEnrolment(
  services: Services,
  db: ProviderDb,
  caller: StaffCaller,
  { code, address }: { readonly code: string; readonly address: string },
): Promise<{ recoveryCodes: string[] } | Refusal> {
  const member = await findStaff(db, caller.id, services.settings)
  demand(!member?.hasAuthenticator, 409, ENROLLED_ALREADY)
  const { attempts } = services
  const lockedOut = await attempts.refusal(db, attempts.codes(caller.id, address).keys)
  if (lockedOut) return lockedOut
  const secret = await holdSessionSecret(db, caller.sessionId)
  const waiting = waitingFor(callerAsPerson(caller), caller.sessionId, secret)
  const outcome = await takeCode(services, db, waiting, { code, enrols: true, address })
  if (outcome instanceof Refusal) return outcome
  if (outcome === 'wrong') return new Refusal(400, CODE_INCORRECT)
  await updateSession(db, caller.sessionId, { secret: null, has_second_factor: true })
  await deleteSessionsOf(db, caller.id, caller.sessionId)
  return { recoveryCodes: outcome.recoveryCodes ?? [] }
}

export async function endStaffSession(db: ProviderDb, { id, sessionId }: StaffCaller): Promise<void> {
  await deleteStaffSession(db, sessionId)
  record(db, { noun: 'staff', record: id, verb: 'signed out' })
}
