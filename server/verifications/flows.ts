import type { Enrolment, SecondFactorType } from '#contract/sessions/schema.ts'
import { VERIFICATION_REQUIRED } from '#contract/verifications/access.ts'
import { demandsAuthenticator } from '#contract/verifications/rules.ts'
import {
  CODE_INCORRECT,
  type Verification,
  VERIFICATION_MINUTES,
  type VerificationState,
  type Verified,
} from '#contract/verifications/schema.ts'
import { clock, MINUTE } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import {
  ENROLLED_ALREADY,
  enrolmentOf,
  expiryOf,
  mailChange,
  mailCode,
  newSecret,
  type Person,
  removeAuthenticator,
  renewRecoveryCodes,
  takeCode,
} from '#server/second-factors/flows.ts'
import { countRecoveryCodes, hasAuthenticator, type Owner } from '#server/second-factors/store.ts'
import { replaceTokens } from '#server/sessions/flows.ts'
import { findUser } from '#server/users/store.ts'

import { findVerification, holdVerification, updateVerification, type VerificationRow } from './store.ts'

const PURPOSE = 'confirm that it is you at'
const REQUIRED = 'Please confirm first that it is you.'
const DEMANDED = 'Your organization asks for an authenticator app. It cannot be removed.'

const ownerOf = ({ id }: { readonly id: string }): Owner => ({ kind: 'person', id })
const sessionOf = (caller: Caller): string => caller.sessionId!

/**
 * The person's method: an authenticator code where one is enrolled or required, otherwise an emailed code (foundation
 * §4).
 */
async function methodOf(
  db: OrgDb,
  caller: Caller,
): Promise<{ secondFactorType: SecondFactorType; initialized: boolean }> {
  if (await hasAuthenticator(db, ownerOf(caller))) return { secondFactorType: 'TOTP', initialized: true }
  if (demandsAuthenticator(caller.config)) return { secondFactorType: 'TOTP', initialized: false }
  return { secondFactorType: 'EMAIL', initialized: true }
}

async function personOf(db: OrgDb, caller: Caller): Promise<Person> {
  const user = (await findUser(db, caller.id))!
  return { ...ownerOf(user), email: user.email, firstName: user.firstName, organisation: caller.organisation }
}

const isVerified = ({ verifiedUntil: until }: VerificationRow): boolean =>
  until !== null && Date.parse(until) > clock.now()
const toVerification = (
  method: Awaited<ReturnType<typeof methodOf>>,
  row: VerificationRow,
): Verification => ({
  ...method,
  ...expiryOf(method.secondFactorType, row),
  verifiedUntil: isVerified(row) ? row.verifiedUntil : null,
})

/**
 * Refuses a session that was not verified in the last quarter of an hour (decisions §5).
 * @throws Refusal 403 with the code `verification_required`
 */
export async function requireVerification(db: OrgDb, caller: Pick<Caller, 'sessionId'>): Promise<void> {
  const row = caller.sessionId ? await findVerification(db, caller.sessionId) : null
  if (!row || !isVerified(row)) throw new Refusal(403, REQUIRED, { code: VERIFICATION_REQUIRED })
}

/** The person's method, whether the session is verified, and the number of recovery codes left. */
export async function stateOf(db: OrgDb, caller: Caller): Promise<VerificationState> {
  const row = await findVerification(db, sessionOf(caller))
  return {
    ...toVerification(await methodOf(db, caller), row),
    recoveryCodesLeft: await countRecoveryCodes(db, ownerOf(caller)),
  }
}

/** Begins a verification: mails a code for the email method, unless wrong codes lock it out. */
export async function beginVerification(
  services: Services,
  db: OrgDb,
  caller: Caller,
  address: string,
): Promise<Verification | Refusal> {
  const { attempts } = services
  const lockedOut = await attempts.refusal(db, attempts.codes(caller.id, address).keys)
  if (lockedOut) return lockedOut
  const sessionId = sessionOf(caller)
  const method = await methodOf(db, caller)
  const challenge = await holdVerification(db, sessionId)
  if (method.secondFactorType === 'TOTP') return toVerification(method, challenge)
  const person = await personOf(db, caller)
  const mailed = await mailCode(services, db, { person, challengeId: sessionId, challenge }, PURPOSE)
  if (mailed instanceof Refusal) return mailed
  await updateVerification(db, sessionId, mailed)
  return toVerification(method, { ...challenge, ...mailed })
}

/**
 * The secret to enrol an authenticator app; a repeated request in the session returns it again. People with another
 * second factor must have verified: a stolen session must not enrol its own.
 * @throws Refusal 403, also for somebody who is enrolled (decisions §5)
 */
export async function beginEnrolment(services: Services, db: OrgDb, caller: Caller): Promise<Enrolment> {
  const { secondFactorType, initialized } = await methodOf(db, caller)
  if (secondFactorType === 'TOTP' && initialized) throw new Refusal(403, ENROLLED_ALREADY)
  if (secondFactorType === 'EMAIL') await requireVerification(db, caller)
  const sessionId = sessionOf(caller)
  const row = await holdVerification(db, sessionId)
  const secret = row.secret ?? newSecret(services, caller.id)
  if (!row.secret) await updateVerification(db, sessionId, { secret })
  return enrolmentOf(services, secret, await personOf(db, caller))
}

/**
 * Verifies a session with a code, and replaces its tokens where the refresh token is sent. Refusals are returned, so
 * that the count of a wrong code is committed.
 */
export async function confirmVerification(
  services: Services,
  db: OrgDb,
  caller: Caller,
  attempt: {
    readonly code: string
    readonly enrols: boolean
    readonly address: string
    readonly refreshToken?: string | undefined
  },
): Promise<Verified | Refusal> {
  const sessionId = sessionOf(caller)
  const lockedOut = await services.attempts.refusal(
    db,
    services.attempts.codes(caller.id, attempt.address).keys,
  )
  if (lockedOut) return lockedOut
  const challenge = await holdVerification(db, sessionId)
  const { secondFactorType } = await methodOf(db, caller)
  const enrolsFreely = attempt.enrols && secondFactorType === 'EMAIL'
  if (enrolsFreely) await requireVerification(db, caller)
  const type = enrolsFreely ? 'TOTP' : secondFactorType
  const waiting = { person: await personOf(db, caller), type, challengeId: sessionId, challenge }
  const outcome = await takeCode(services, db, waiting, attempt)
  if (outcome instanceof Refusal) return outcome
  if (outcome === 'wrong') return new Refusal(400, CODE_INCORRECT)
  const verifiedUntil = new Date(clock.now() + VERIFICATION_MINUTES * MINUTE).toISOString()
  await updateVerification(db, sessionId, {
    verifiedUntil: verifiedUntil,
    codeHash: null,
    codeExpiresTimestamp: null,
    secret: null,
  })
  record(db, { noun: 'verifications', record: sessionId, parent: caller.id, verb: 'passed' })
  const tokens = attempt.refreshToken && (await replaceTokens(services, db, caller, attempt.refreshToken))
  return { verifiedUntil, ...outcome, ...(tokens && { tokens }) }
}

/** Ten new recovery codes for a verified person with an authenticator app. */
export async function renewCodes(services: Services, db: OrgDb, caller: Caller): Promise<string[]> {
  await requireVerification(db, caller)
  const codes = await renewRecoveryCodes(services, db, ownerOf(caller))
  await mailChange(services, db, await personOf(db, caller), 'Recovery codes were renewed')
  return codes
}

/** Deletes a verified person's authenticator app, unless their organisation requires one. */
export async function forgetAuthenticator(services: Services, db: OrgDb, caller: Caller): Promise<void> {
  await requireVerification(db, caller)
  if (demandsAuthenticator(caller.config)) throw new Refusal(409, DEMANDED)
  await removeAuthenticator(db, ownerOf(caller))
  await mailChange(services, db, await personOf(db, caller), 'The authenticator app was removed')
}
