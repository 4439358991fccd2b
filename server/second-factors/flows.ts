import { randomInt } from 'node:crypto'

import { Secret, TOTP } from 'otpauth'
import { PNG } from 'pngjs'
import { encode } from 'uqr'

import {
  CODE_LENGTH,
  type CodeExpiry,
  type Enrolment,
  RECOVERY_CODE_COUNT,
  RECOVERY_CODE_LENGTH,
  type SecondFactorType,
} from '#contract/sessions/schema.ts'
import { clock, MINUTE, SECOND } from '#server/kit/core/clock.ts'
import type { TransactionDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { emailMessage } from '#server/kit/messages/email-messages.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import { sameBytes } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'

import {
  type Challenge,
  countRecoveryCodes,
  deleteAuthenticator,
  deleteRecoveryCodes,
  holdAuthenticator,
  holdRecoveryCode,
  insertAuthenticator,
  insertRecoveryCodes,
  type Owner,
  updateLastStep,
  updateRecoveryCodeUsed,
} from './store.ts'

/** Life of an emailed code (decisions §3). */
export const CODE_LIFE = 10 * MINUTE
/** Interval between two mailed codes. */
const NEXT_CODE_AFTER = 30 * SECOND
/** Seconds per code of an authenticator app; the neighbouring time steps are accepted too (RFC 6238). */
const STEP_SECONDS = 30
const STEPS_ASIDE = 1
export const ENROLLED_ALREADY = 'An authenticator app is enrolled already.'
export const NOT_ENROLLED = 'No authenticator app is enrolled.'

/** The person of a second factor. */
export interface Person extends Owner {
  readonly email: string
  readonly firstName: string
  readonly organisation: { readonly code: string; readonly displayName: string }
}
/** A sign-in or session that waits for a code. A code works only for the one it was made for. */
export interface Waiting {
  readonly person: Person
  readonly type: SecondFactorType
  readonly challengeId: string
  readonly challenge: Challenge
}

/** Times at which an emailed code expires and another can be requested. */
export const expiryOf = (type: SecondFactorType, challenge: Omit<Challenge, 'secret'>): CodeExpiry => ({
  confirmationCodeExpiryTimestamp: type === 'EMAIL' ? challenge.codeExpiresTimestamp : null,
  newConfirmationCodeExpiryTimestamp: type === 'EMAIL' ? challenge.nextCodeTimestamp : null,
})

const digits = (length: number): string => String(randomInt(10 ** length)).padStart(length, '0')
const emailedHash = ({ secrets }: Services, challengeId: string, code: string) =>
  secrets.hash('emailed code', challengeId, code)
const recoveryHash = ({ secrets }: Services, userId: string, code: string) =>
  secrets.hash('recovery code', userId, code)
const sameHash = (a: string, b: string) => sameBytes(Buffer.from(a), Buffer.from(b))

/**
 * Mails a code that replaces the previous one. Returns the values to store, or the refusal when codes are requested too
 * often.
 */
export async function mailCode(
  services: Services,
  db: TransactionDb,
  { person, challengeId, challenge }: Omit<Waiting, 'type'>,
  purpose: string,
): Promise<Omit<Challenge, 'secret'> | Refusal> {
  const { nextCodeTimestamp: next, codeHash: former } = challenge
  const wait = next ? Date.parse(next) - clock.now() : 0
  const tooOften = 'A code was sent a moment ago. Please wait before asking for another one.'
  if (wait > 0) return new Refusal(429, tooOften, { msUntilNextAttempt: wait })
  const refusal = await services.attempts.takeMail(db, 'code', person.email)
  if (refusal) return refusal
  let code: string
  do code = digits(CODE_LENGTH.EMAIL)
  while (emailedHash(services, challengeId, code) === former)
  await services.post.mail(db, {
    to: person.email,
    ...emailMessage({
      subject: `Your code for ${person.organisation.displayName}`,
      before: [
        `Hello ${person.firstName},`,
        `Please use the code ${code} to ${purpose} ${person.organisation.displayName}.`,
        'It works once, and for 10 minutes. Nobody from Muster or your organization will ever ask you for it.',
        'If you did not ask for it, somebody may know your password: please set another one.',
      ],
    }),
  })
  return {
    codeHash: emailedHash(services, challengeId, code),
    codeExpiresTimestamp: new Date(clock.now() + CODE_LIFE).toISOString(),
    nextCodeTimestamp: new Date(clock.now() + NEXT_CODE_AFTER).toISOString(),
  }
}

const totp = (secret: string, person?: Person) =>
  new TOTP({
    secret: Secret.fromBase32(secret),
    digits: CODE_LENGTH.TOTP,
    period: STEP_SECONDS,
    issuer: 'Muster',
    label: person ? `${person.email} (${person.organisation.code})` : '',
  })

/** A new secret for an authenticator app, encrypted for its owner. */
export const newSecret = ({ secrets }: Services, userId: string): Buffer =>
  secrets.seal(new Secret({ size: 20 }).base32, userId)

/** The content of the QR code that an authenticator app scans. */
export const enrolmentUri = ({ secrets }: Services, sealed: Buffer, person: Person): string =>
  totp(secrets.open(sealed, person.id), person).toString()

/** The secret of an authenticator app, as text and QR code. */
export const enrolmentOf = (services: Services, sealed: Buffer, person: Person): Enrolment => ({
  secret: services.secrets.open(sealed, person.id),
  qrCode: drawn(enrolmentUri(services, sealed, person)),
})

const PIXELS = 6
/** A QR code as a PNG. Synchronous, because it may be drawn inside a transaction. */
function drawn(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const png = new PNG({ width: size * PIXELS, height: size * PIXELS, colorType: 0 })
  for (let y = 0; y < png.height; y += 1) {
    for (let x = 0; x < png.width; x += 1) {
      const dark = data[Math.floor(y / PIXELS)]![Math.floor(x / PIXELS)]
      png.data.fill(dark ? 0 : 255, (y * png.width + x) * 4, (y * png.width + x) * 4 + 3)
      png.data[(y * png.width + x) * 4 + 3] = 255
    }
  }
  return `data:image/png;base64,${PNG.sync.write(png, { colorType: 0 }).toString('base64')}`
}

/** The kind of code that was typed; nothing is stored yet. */
type Match =
  | { readonly kind: 'emailed' }
  | { readonly kind: 'app'; readonly step: number }
  | { readonly kind: 'enrolment'; readonly step: number; readonly secret: Buffer }
  | { readonly kind: 'recovery'; readonly hash: string }

/** The time step of an authenticator app's code. */
function stepOf(secret: string, code: string): number | null {
  const token = totp(secret)
  const timestamp = clock.now()
  const aside = token.validate({ token: code, window: STEPS_ASIDE, timestamp })
  return aside === null ? null : token.counter({ timestamp }) + aside
}

function matchOfEnrolment(
  services: Services,
  person: Person,
  secret: Buffer | null,
  code: string,
): Match | null {
  if (!secret || code.length !== CODE_LENGTH.TOTP) return null
  const step = stepOf(services.secrets.open(secret, person.id), code)
  return step === null ? null : { kind: 'enrolment', step, secret }
}

async function matchOf(
  services: Services,
  db: TransactionDb,
  { person, type, challengeId, challenge }: Waiting,
  code: string,
  enrols: boolean,
): Promise<Match | null> {
  if (type === 'EMAIL') {
    const { codeHash: hash, codeExpiresTimestamp: expires } = challenge
    const isRight = sameHash(emailedHash(services, challengeId, code), hash ?? '')
    return isRight && expires && Date.parse(expires) > clock.now() ? { kind: 'emailed' } : null
  }
  const enrolled = await holdAuthenticator(db, person)
  if (!enrolled) return enrols ? matchOfEnrolment(services, person, challenge.secret, code) : null
  if (code.length === RECOVERY_CODE_LENGTH) {
    const hash = recoveryHash(services, person.id, code)
    return (await holdRecoveryCode(db, person, hash)) ? { kind: 'recovery', hash } : null
  }
  if (code.length !== CODE_LENGTH.TOTP) return null
  const step = stepOf(services.secrets.open(enrolled.secret, person.id), code)
  return step !== null && step > enrolled.lastStep ? { kind: 'app', step } : null
}

/** The outcome of a code: a refusal while locked out, wrong, or correct. */
export type CodeOutcome = Refusal | 'wrong' | { readonly recoveryCodes?: string[] }

/**
 * Checks a code for a pending second factor. A correct code is used up; a wrong one counts as a failed attempt. The
 * transaction has to commit either way, so a refusal is returned, not thrown.
 */
export async function takeCode(
  services: Services,
  db: TransactionDb,
  waiting: Waiting,
  attempt: { readonly code: string; readonly enrols: boolean; readonly address: string },
): Promise<CodeOutcome> {
  const { person } = waiting
  const organisation = person.kind === 'person' ? person.organisation.code : undefined
  const tries = services.attempts.codes(person.id, attempt.address, organisation)
  const match = await matchOf(services, db, waiting, attempt.code, attempt.enrols)
  const { refusal, locks } = await services.attempts.settle(db, tries, match !== null)
  if (refusal) return refusal
  if (match) return spendMatch(services, db, person, match)
  record(db, { noun: 'second-factors', record: person.id, verb: 'code refused' })
  if (locks) record(db, { noun: 'second-factors', record: person.id, verb: 'locked out' })
  return 'wrong'
}

async function spendMatch(
  services: Services,
  db: TransactionDb,
  person: Person,
  match: Match,
): Promise<'wrong' | { recoveryCodes?: string[] }> {
  if (match.kind === 'app') await updateLastStep(db, person, match.step)
  if (match.kind === 'recovery') await spendRecoveryCode(services, db, person, match.hash)
  if (match.kind !== 'enrolment') return {}
  const kept = await insertAuthenticator(db, person, {
    secret: match.secret,
    lastStep: match.step,
    createTimestamp: clock.timestamp(),
  })
  // A concurrent request enrolled another app, whose recovery codes are the valid ones.
  if (!kept) return 'wrong'
  record(db, { noun: 'second-factors', record: person.id, verb: 'enrolled' })
  await mailChange(services, db, person, 'An authenticator app was set up')
  return { recoveryCodes: await makeRecoveryCodes(services, db, person) }
}

async function spendRecoveryCode(
  services: Services,
  db: TransactionDb,
  person: Person,
  hash: string,
): Promise<void> {
  await updateRecoveryCodeUsed(db, person, hash, clock.timestamp())
  const left = await countRecoveryCodes(db, person)
  record(db, {
    noun: 'second-factors',
    record: person.id,
    verb: 'recovery code used',
    changes: { left: { from: left + 1, to: left } },
  })
  const { displayName } = person.organisation
  await services.post.mail(db, {
    to: person.email,
    ...emailMessage({
      subject: `A recovery code was used for ${displayName}`,
      before: [
        `Hello ${person.firstName},`,
        `A recovery code was used to confirm that it is you at ${displayName}, ${left} left.`,
        'If that was not you, somebody else has your recovery codes: please tell your administrator at once.',
      ],
    }),
  })
}

/** Mails the person about a change of their second factor, so that no change goes unnoticed. */
export async function mailChange(
  services: Services,
  db: TransactionDb,
  { email, firstName, organisation: { displayName } }: Person,
  change: string,
): Promise<void> {
  await services.post.mail(db, {
    to: email,
    ...emailMessage({
      subject: `${change} for ${displayName}`,
      before: [
        `Hello ${firstName},`,
        `${change} for your account at ${displayName}.`,
        'If it was you, there is nothing to do. If it was not, somebody else is signed in as you: please change your password and tell your administrator at once.',
      ],
    }),
  })
}

/** Ten new recovery codes, shown only now. They replace the previous ones. */
async function makeRecoveryCodes(services: Services, db: TransactionDb, owner: Owner): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < RECOVERY_CODE_COUNT) codes.add(digits(RECOVERY_CODE_LENGTH))
  await deleteRecoveryCodes(db, owner)
  await insertRecoveryCodes(
    db,
    owner,
    [...codes].map((code) => recoveryHash(services, owner.id, code)),
  )
  return [...codes]
}

/**
 * Replaces the recovery codes of a person with an authenticator app.
 * @throws Refusal 409 where there is none
 */
export async function renewRecoveryCodes(
  services: Services,
  db: TransactionDb,
  owner: Owner,
): Promise<string[]> {
  if (!(await holdAuthenticator(db, owner))) throw new Refusal(409, NOT_ENROLLED)
  record(db, { noun: 'second-factors', record: owner.id, verb: 'recovery codes renewed' })
  return makeRecoveryCodes(services, db, owner)
}

/**
 * Deletes a person's authenticator app and their recovery codes.
 * @throws Refusal 409 where there is none
 */
export async function removeAuthenticator(db: TransactionDb, owner: Owner): Promise<void> {
  if (!(await deleteAuthenticator(db, owner))) throw new Refusal(409, NOT_ENROLLED)
  await deleteRecoveryCodes(db, owner)
  record(db, { noun: 'second-factors', record: owner.id, verb: 'removed' })
}
