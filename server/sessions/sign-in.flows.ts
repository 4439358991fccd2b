import { type Config, configOf } from '#contract/config/catalogue.ts'
import {
  type CodeExpiry,
  type Credentials,
  type Enrolment,
  INVALID_CODE,
  ORGANISATION_CLOSED,
  type SecondFactorData,
  type SecondFactorType,
  SIGN_IN_OVER,
  SIGN_IN_REFUSED,
  type SessionData,
  type SignInAnswer,
} from '#contract/sessions/schema.ts'
import { organisationWithConfig } from '#server/config/flows.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { type EmailMessage, emailMessage } from '#server/kit/messages/email-messages.ts'
import { passwordMatches } from '#server/kit/security/passwords.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import { openToken, sealToken } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'
import {
  CODE_LIFE,
  ENROLLED_ALREADY,
  enrolmentOf,
  expiryOf,
  mailCode,
  newSecret,
  type Person,
  takeCode,
  type Waiting,
} from '#server/second-factors/flows.ts'
import { type Challenge, hasAuthenticator } from '#server/second-factors/store.ts'
import { type From, personOf, startSession } from './flows.ts'
import { findUser, findUserByEmail, type UserRow } from '#server/users/store.ts'

import {
  deletePending,
  holdPending,
  insertPending,
  pendingLookup,
  type PendingRow,
  updatePending,
} from './sign-in.store.ts'

/** Least duration of a refused sign-in in milliseconds, so that its timing does not reveal the reason. */
const REFUSED_AFTER_MS = 300
/** Upper bound for recording the failure: on a busy server, comparing the password outlasts the other delay. */
const NOTED_WITHIN_MS = 50
const SIGN_IN: EventActor = { kind: 'system', id: null, name: 'sign-in' }
const PURPOSE = 'complete your sign-in to'
const NOT_EMAILED = 'The codes of an authenticator app come from the app.'
const NOT_AN_APP = 'This sign-in is confirmed with an emailed code.'

/**
 * Signs a person in, or requests their second factor. All refusals of a password have equal text and duration.
 * @throws Refusal 401, 403 for a closed organisation, 429
 */
export async function signIn(services: Services, given: Credentials, from: From): Promise<SignInAnswer> {
  const { database, attempts } = services
  const account = { code: given.enterpriseCode, email: given.email }
  const attempt = await attempts.tryPassword(database.directory, account, from.address)
  const mayRefuse = clock.delay(REFUSED_AFTER_MS)
  const found = await organisationWithConfig(database, given.enterpriseCode)
  // Unknown organisations run the same query, so that timing does not reveal them.
  const organisationId = found?.organisation.id ?? crypto.randomUUID()
  const user = await database.withOrganisation({ organisationId, actor: () => SIGN_IN }, (db) =>
    findUserByEmail(db, given.email),
  )
  // Outside of transactions, because hashing is slow on purpose.
  const matches = await passwordMatches(given.password, user?.passwordHash ?? null)
  const isRight = matches && user !== undefined && user.active && !user.banned
  const verdict = await attempt.settle(isRight)
  const { refusal } = verdict
  if (!found || !isRight || refusal) {
    const noted = refusal ? undefined : noteWrongPassword(services, organisationId, user, verdict)
    await Promise.all([mayRefuse, clock.delay(NOTED_WITHIN_MS), noted])
    throw refusal ?? new Refusal(401, SIGN_IN_REFUSED)
  }
  if (found.organisation.isClosed)
    throw new Refusal(403, ORGANISATION_CLOSED, { code: 'organization_closed' })

  const { config } = found
  const answer = await database.withOrganisation(
    {
      organisationId,
      lookup: {
        name: 'has_children',
        sql: 'select exists (select from organisations where parent_id = current_organisation()) as "hasChildren"',
        values: [],
      },
      actor: () => personOf(user),
    },
    async (db, { hasChildren }: { hasChildren: boolean }) => {
      // The user may have changed during the hashing.
      const now = await findUser(db, user.id)
      if (!now?.active || now.banned || now.passwordHash !== user.passwordHash)
        return new Refusal(401, SIGN_IN_REFUSED)
      if (config.auth2fa)
        return beginSignIn(services, db, now, { ...found.organisation, config }, from.address)
      return startSession(services, db, { user: now, organisationId, config, hasChildren }, from)
    },
  )
  if (answer instanceof Refusal) throw answer
  return answer
}

/**
 * Records a failed sign-in without its reason, and mails the user when further attempts are slowed down. Unknown users
 * cost an equal transaction that records nothing.
 */
export const noteWrongPassword = (
  services: Services,
  organisationId: string,
  user: UserRow | undefined,
  { locks, slows }: { readonly locks: boolean; readonly slows: boolean },
): Promise<void> =>
  services.database.withOrganisation({ organisationId, actor: () => SIGN_IN }, async (db) => {
    if (!user) return
    record(db, { noun: 'sign-ins', record: user.id, verb: 'refused' })
    if (locks) record(db, { noun: 'sign-ins', record: user.id, verb: 'locked out' })
    if (!slows) return
    record(db, { noun: 'sign-ins', record: user.id, verb: 'slowed down' })
    if (user.active && !user.banned)
      await services.post.mail(db, { to: user.email, ...manyWrongPasswords(user) })
  })

const manyWrongPasswords = ({ firstName, email }: UserRow): EmailMessage =>
  emailMessage({
    subject: 'Many wrong passwords were tried for your account',
    before: [
      `Hello ${firstName},`,
      `In the last hour 30 wrong passwords were entered for ${email}. Your account is not locked: you can sign in as usual, but it may take up to half a minute.`,
      'If it was not you, somebody may be guessing your password. Please make sure that you use it nowhere else, or set a new one with "Forgot password" where you sign in, and tell your administrator.',
    ],
  })

async function beginSignIn(
  services: Services,
  db: OrgDb,
  user: UserRow,
  organisation: { id: string; code: string; displayName: string; config: Config },
  address: string,
): Promise<SecondFactorData | Refusal> {
  const { attempts } = services
  const lockedOut = await attempts.refusal(db, attempts.codes(user.id, address).keys)
  if (lockedOut) return lockedOut
  const { token, hash } = sealToken('mp', organisation.id)
  const type = organisation.config.auth2faType as SecondFactorType
  const person: Person = {
    kind: 'person',
    id: user.id,
    email: user.email,
    firstName: user.firstName,
    organisation: { code: organisation.code, displayName: organisation.displayName },
  }
  let challenge: Challenge = {
    codeHash: null,
    codeExpiresTimestamp: null,
    nextCodeTimestamp: null,
    secret: null,
  }
  if (type === 'EMAIL') {
    const mailed = await mailCode(
      services,
      db,
      { person, challengeId: hash.toString('hex'), challenge },
      PURPOSE,
    )
    if (mailed instanceof Refusal) return mailed
    challenge = { ...challenge, ...mailed }
  }
  await insertPending(db, { hash, userId: user.id, type, ...challenge, expiresTimestamp: lifeFromNow() })
  return {
    isSuccess: false,
    temporaryAuthenticationToken: token,
    initialized: type === 'EMAIL' || (await hasAuthenticator(db, person)),
    secondFactorType: type,
    ...expiryOf(type, challenge),
  }
}

/** A pending sign-in lives twice as long as a code, so that an expired code can be sent again. */
const SIGN_IN_WAITS = 2 * CODE_LIFE
const lifeFromNow = () => new Date(clock.now() + SIGN_IN_WAITS).toISOString()
const signInOver = () => new Refusal(401, SIGN_IN_OVER, { code: 'sign_in_over' })

interface Pending {
  readonly row: PendingRow
  readonly hash: Buffer
  readonly organisationId: string
  readonly waiting: Waiting
}

/** Opens and locks the pending sign-in of a token. A refusal inside is committed before it is thrown. */
async function inPending<T>(
  services: Services,
  token: string,
  work: (db: OrgDb, pending: Pending) => Promise<T | Refusal>,
  against: (db: OrgDb, row: PendingRow) => Promise<Refusal | null> = async () => null,
): Promise<T> {
  const opened = openToken('mp', token)
  if (!opened) throw signInOver()
  const { organisationId, hash } = opened
  const result = await services.database.withOrganisation(
    {
      organisationId,
      lookup: pendingLookup(hash, clock.timestamp()),
      actor: (row: PendingRow | undefined) =>
        row ? personOf({ id: row.userId, email: row.email }) : SIGN_IN,
    },
    async (db, row: PendingRow | undefined) => {
      if (!row) return signInOver()
      const refusal = await against(db, row)
      if (refusal) return refusal
      const challenge = await holdPending(db, hash)
      if (!challenge) return signInOver()
      const person: Person = {
        kind: 'person',
        id: row.userId,
        email: row.email,
        firstName: row.firstName,
        organisation: { code: row.code, displayName: row.displayName },
      }
      const waiting = { person, type: challenge.type, challengeId: hash.toString('hex'), challenge }
      return work(db, { row, hash, organisationId, waiting })
    },
  )
  if (result instanceof Refusal) throw result
  return result
}

/**
 * Completes a sign-in with a code.
 * @throws Refusal 401, 429
 */
export async function confirmSignIn(
  services: Services,
  input: { confirmationCode: string; temporaryAuthenticationToken: string; enrols: boolean },
  from: From,
): Promise<SessionData> {
  const { attempts, database } = services
  // Checks the address's lockout first, so that refusing guesses is cheap.
  const [, address] = attempts.codes('', from.address).keys
  const lockedOut = await attempts.refusal(database.directory, [address])
  if (lockedOut) throw lockedOut
  return inPending(
    services,
    input.temporaryAuthenticationToken,
    async (db, { row, hash, organisationId, waiting }) => {
      const outcome = await takeCode(services, db, waiting, {
        code: input.confirmationCode,
        enrols: input.enrols,
        address: from.address,
      })
      if (outcome instanceof Refusal) return outcome
      if (outcome === 'wrong') return new Refusal(401, INVALID_CODE)
      const user = (await findUser(db, row.userId))!
      await deletePending(db, { hash })
      const config = configOf(row.config, row.globalConfig ?? {})
      const { hasChildren } = row
      const session = await startSession(services, db, { user, organisationId, config, hasChildren }, from)
      return { ...session, ...outcome }
    },
    (db, row) => attempts.refusal(db, attempts.codes(row.userId, from.address).keys),
  )
}

/**
 * Mails another code, which replaces the previous one and prolongs the sign-in.
 * @throws Refusal 400, 401, 429: also while the person or the address is locked out
 */
export const resendCode = (
  services: Services,
  token: string,
  { address }: Pick<From, 'address'>,
): Promise<CodeExpiry> =>
  inPending(
    services,
    token,
    async (db, { hash, waiting }) => {
      if (waiting.type !== 'EMAIL') return new Refusal(400, NOT_EMAILED)
      const mailed = await mailCode(services, db, waiting, PURPOSE)
      if (mailed instanceof Refusal) return mailed
      await updatePending(db, hash, { ...mailed, expiresTimestamp: lifeFromNow() })
      return expiryOf(waiting.type, mailed)
    },
    (db, { userId }) => services.attempts.refusal(db, services.attempts.codes(userId, address).keys),
  )

/**
 * The secret and QR code to enrol an authenticator app. The secret belongs to this sign-in: a repeated request returns
 * it again, so a code photographed before a reload stays valid, and another sign-in with the password cannot read it.
 * @throws Refusal 400, 401, 409
 */
export async function beginEnrolment(services: Services, token: string): Promise<Enrolment> {
  const { sealed, person } = await inPending(services, token, async (db, { row, hash, waiting }) => {
    if (waiting.type !== 'TOTP') return new Refusal(400, NOT_AN_APP)
    if (await hasAuthenticator(db, waiting.person)) return new Refusal(409, ENROLLED_ALREADY)
    const kept = waiting.challenge.secret
    const secret = kept ?? newSecret(services, row.userId)
    if (!kept) await updatePending(db, hash, { secret })
    return { sealed: secret, person: waiting.person }
  })
  return enrolmentOf(services, sealed, person)
}
