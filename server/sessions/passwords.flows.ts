import {
  type NewPassword,
  PASSWORD_TOO_COMMON,
  PASSWORD_USED_BEFORE,
  type PasswordToken,
  TOKEN_EXPIRED,
} from '#contract/sessions/schema.ts'
import { clock, noSoonerThan } from '#server/kit/core/clock.ts'
import { type EventActor, isUuid, type OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { isGuessable, wordsOf } from '#server/kit/security/guessable.ts'
import { emailMessage } from '#server/kit/messages/email-messages.ts'
import { hashPassword, passwordMatches } from '#server/kit/security/passwords.ts'
import { Refusal, wrongField } from '#server/kit/core/refusal.ts'
import { openToken } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'
import { findOrganisation } from '#server/organisations/store.ts'
import { endSessions, personOf } from './flows.ts'
import { passwordLink } from '#server/users/flows.ts'
import { findTokenHolder, findUserByEmail, updatePassword, useOneTimeToken } from '#server/users/store.ts'

import { insertPastPassword, listLastPasswords, listOrganisationsOf } from './passwords.store.ts'

/** Number of passwords remembered against reuse, including the current one (decisions §3). */
const REMEMBERED = 5
/** Least duration of a mail request in milliseconds, so that its timing does not reveal whether a mail was sent. */
const ANSWERED_AFTER_MS = 250
const SET_PASSWORD: EventActor = { kind: 'system', id: null, name: 'set password' }
const FORGOT: EventActor = { kind: 'system', id: null, name: 'forgot password' }

/** The owner of a password. Their name and address are no part of a good password. */
export interface PasswordOwner {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly organisation: { readonly code: string; readonly displayName: string }
}
const PRODUCT = 'Muster'

/** Hashes of the passwords that a person may not choose again. */
export const lastPasswords = (db: OrgDb, userId: string): Promise<string[]> =>
  listLastPasswords(db, userId, REMEMBERED)

/**
 * The refusal of a new password beside its composition: easily guessed, or one of the person's last five. Undefined
 * when there is none. Call outside of transactions, because comparing is slow on purpose.
 */
export async function passwordRefusal(
  password: string,
  last: readonly string[],
  { email, firstName, lastName, organisation }: PasswordOwner,
): Promise<string | undefined> {
  const { code, displayName } = organisation
  const personal = wordsOf([firstName, lastName, email, code, displayName, PRODUCT])
  if (await isGuessable(password, personal)) return PASSWORD_TOO_COMMON
  const same = await Promise.all(last.map((hash) => passwordMatches(password, hash)))
  return same.includes(true) ? PASSWORD_USED_BEFORE : undefined
}

/** Stores a validated password and remembers the previous one. The caller decides which sessions end. */
export async function keepPassword(db: OrgDb, userId: string, passwordHash: string): Promise<void> {
  await insertPastPassword(db, userId, REMEMBERED - 1)
  await updatePassword(db, userId, passwordHash, clock.timestamp())
  record(db, { noun: 'users', record: userId, verb: 'password set' })
}

/** Sets a validated password and signs the person out everywhere. */
export async function setPassword(db: OrgDb, userId: string, passwordHash: string): Promise<void> {
  await keepPassword(db, userId, passwordHash)
  await endSessions(db, { userId }, 'password set')
}

const linkExpired = () => new Refusal(400, TOKEN_EXPIRED, { code: 'token_expired' })

/**
 * The organisation of a mailed link and the hash of its token.
 * @throws Refusal 400, with one message for every fault of the link
 */
async function openPasswordLink({ database }: Services, given: PasswordToken) {
  const opened = openToken('mo', given.oneTimePasscode)
  if (!opened || !isUuid(given.userId)) throw linkExpired()
  const organisation = await findOrganisation(database, given.enterpriseCode)
  if (organisation?.id !== opened.organisationId || organisation.isClosed) throw linkExpired()
  return { organisation, hash: opened.hash }
}

/**
 * Checks that a mailed link can still set a password.
 * @throws Refusal 400, with one message for every fault of the link, or 429
 */
export async function checkPasswordLink(
  services: Services,
  given: PasswordToken,
  address: string,
): Promise<void> {
  const { attempts, database } = services
  const tooMany = await attempts.takeLinkFrom(database.directory, address)
  if (tooMany) throw tooMany
  const { organisation, hash } = await openPasswordLink(services, given)
  const holder = await database.withOrganisation(
    { organisationId: organisation.id, actor: () => SET_PASSWORD },
    (db) => findTokenHolder(db, hash, given.userId, clock.timestamp()),
  )
  if (!holder) throw linkExpired()
}

/**
 * Sets a password with the single-use token of a mailed link.
 * @throws Refusal 400, with one message for every fault of the link, or at the field for a fault of the password
 */
export async function changePassword(services: Services, given: NewPassword): Promise<void> {
  const { database } = services
  const { organisation, hash } = await openPasswordLink(services, given)
  const organisationId = organisation.id
  const found = await database.withOrganisation({ organisationId, actor: () => SET_PASSWORD }, async (db) => {
    const holder = await findTokenHolder(db, hash, given.userId, clock.timestamp())
    return holder && { holder, last: await lastPasswords(db, holder.id) }
  })
  if (!found) throw linkExpired()
  const { holder, last } = found
  // Outside of transactions, because hashing is slow on purpose.
  const { code, displayName } = organisation
  const owner = { ...holder, organisation: { code, displayName } }
  const problem = await passwordRefusal(given.newPassword, last, owner)
  if (problem) throw wrongField('newPassword', problem)
  const passwordHash = await hashPassword(given.newPassword)
  await database.withOrganisation({ organisationId, actor: () => personOf(holder) }, async (db) => {
    if (!(await useOneTimeToken(db, hash, holder.id, clock.timestamp()))) throw linkExpired()
    await setPassword(db, holder.id, passwordHash)
  })
}

/**
 * Mails a link to set a new password to an account that can sign in, also when it has no password yet. Response and
 * timing do not reveal whether there is one.
 * @throws Refusal 429
 */
export async function forgotPassword(
  services: Services,
  input: { enterpriseCode: string; userId: string },
  address: string,
): Promise<void> {
  const email = input.userId
  await demandMail(services, 'reset', email, address)
  await noSoonerThan(ANSWERED_AFTER_MS, async () => {
    const organisation = await findOrganisation(services.database, input.enterpriseCode)
    if (!organisation || organisation.isClosed) return
    const { id, code, displayName } = organisation
    await services.database.withOrganisation({ organisationId: id, actor: () => FORGOT }, async (db) => {
      const user = await findUserByEmail(db, email)
      if (!user?.active || user.banned) return
      const href = await passwordLink(services, db, { uuid: user.id, email }, { id, code }, 'reset')
      await services.post.mail(db, {
        to: user.email,
        ...emailMessage({
          subject: `Set a new password for ${displayName}`,
          before: [
            `Hello ${user.firstName},`,
            `Somebody, probably you, asked for a new password for your account at ${displayName}. Please set it here:`,
          ],
          link: { href, label: 'Set a new password' },
          after: [
            'The link works once, and for one hour. Your present password stays good until you have set another one.',
            'If it was not you, you can ignore this message.',
          ],
        }),
      })
      record(db, { noun: 'passwords', record: user.id, verb: 'reset asked for' })
    })
  })
}

/**
 * Mails the codes of the organisations in which an address has an account. Response and timing do not reveal whether
 * there is one.
 * @throws Refusal 429
 */
export async function remindOrgCode(services: Services, email: string, address: string): Promise<void> {
  await demandMail(services, 'organisations', email, address)
  await noSoonerThan(ANSWERED_AFTER_MS, async () => {
    const { database } = services
    const all = await database.withProvider(FORGOT, (db) => listOrganisationsOf(db, email))
    const [first] = all
    if (!first) return
    // A message belongs to one organisation; the first stands for all.
    await database.withOrganisation({ organisationId: first.id, actor: () => FORGOT }, (db) =>
      services.post.mail(db, {
        to: email,
        ...emailMessage({
          subject: all.length === 1 ? 'Your organization code' : 'Your organization codes',
          before: [
            `Hello ${first.firstName},`,
            'You can sign in to Muster with this email address at:',
            ...all.map(({ code, displayName }) => `${displayName}: ${code}`),
          ],
          link: { href: `${services.publicUrl()}/setup`, label: 'Choose your organization' },
          after: ['If you did not ask for this, you can ignore this message.'],
        }),
      }),
    )
  })
}

/** Rate limit of mails per recipient and client address, regardless of accounts. */
async function demandMail(
  { attempts, database }: Services,
  way: string,
  email: string,
  address: string,
): Promise<void> {
  const refusal =
    (await attempts.takeMailFrom(database.directory, address)) ??
    (await attempts.takeMail(database.directory, way, email, { daily: true }))
  if (refusal) throw refusal
}
