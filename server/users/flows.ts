import { pick } from '#contract/kit/pick.ts'
import { INVALID_PHONE } from '#contract/kit/text.ts'
import { NO_PHONES, type PersonPhones, PHONE_FIELDS } from '#contract/kit/phone-fields.ts'
import { readChangedPhones } from '#contract/kit/person-phones.ts'
import { nameProblem, OFFERED_ROLES, userCan } from '#contract/users/rules.ts'
import {
  EMAIL_TAKEN,
  type NewUser,
  type User,
  USER_FIELDS,
  type UserChanges,
  type UserField,
  type UserRole,
} from '#contract/users/schema.ts'
import type { Page, WholeList } from '#server/kit/http/answers.ts'
import { clock, DAY, HOUR } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { runHook } from '#server/kit/database/hooks.ts'
import { changesBetween, findLastEditor, record } from '#server/kit/events/events.ts'
import { type EmailMessage, emailMessage } from '#server/kit/messages/email-messages.ts'
import { phoneReader } from '#server/kit/messages/phones.ts'
import { demand, notFound, Refusal, stale, wrongField } from '#server/kit/core/refusal.ts'
import { sealToken } from '#server/kit/security/secrets.ts'
import { rowsById } from '#server/kit/http/rows.ts'
import type { Caller, OrgContext } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import { removeAuthenticator } from '#server/second-factors/flows.ts'
import { hasAuthenticator } from '#server/second-factors/store.ts'
import { demandDeputy } from './deputies.flows.ts'
import { historiesOf } from './history.flows.ts'

import {
  countAdministrators,
  findShownUser,
  holdUser,
  insertOneTimeTokens,
  insertUser,
  type ListQuery,
  listUserIds,
  listUsers,
  listUsersOf,
  type TokenPurpose,
  updateActivationSent,
  updateTokensUsed,
  updateUser,
} from './store.ts'

declare module '#server/kit/database/hooks.ts' {
  interface Hooks {
    /** A user is reactivated or unbanned, or changes their role. */
    userAdmitted: { readonly userId: string }
    /** A user is signed out everywhere, for a reason that the audit log names. */
    userSignedOut: { readonly userId: string; readonly reason: string }
    /** Everything that opens the product in a user's name ends, besides their sessions. */
    userRevoked: { readonly userId: string }
  }
}

/** Name of a user in refusals. */
export const USER = 'This user'
export const LAST_ADMINISTRATOR = 'The organization needs at least one active administrator.'

/** One user with their history. */
export async function openUser(db: OrgDb, id: string): Promise<User> {
  const user = await findShownUser(db, id)
  if (!user) throw notFound(USER)
  const history = await historiesOf(db, [id])
  return { ...user, userHistoryEntities: history.get(id) ?? [] }
}

/** Users with their histories, read in batches after the ids of the whole list. */
async function usersWithHistories(db: OrgDb, ids: readonly string[]): Promise<User[]> {
  const history = await historiesOf(db, ids)
  return (await listUsersOf(db, ids)).map((user) => ({
    ...user,
    userHistoryEntities: history.get(user.uuid) ?? [],
  }))
}

/** A page of users, or all of them with their histories, read while the response streams. */
export async function sendUsers(
  { db, later }: Pick<OrgContext, 'db' | 'later'>,
  query: ListQuery,
): Promise<Page<User> | WholeList<User>> {
  if (query.range) return listUsers(db, query)
  const ids = await listUserIds(db, query)
  const rows = rowsById(ids, (some) => later((own) => usersWithHistories(own, some)))
  return { rows, total: ids.length }
}

/** An administrator of an organisation's users: one of its own, or staff of the provider. */
export interface Administrator extends Pick<Caller, 'id' | 'organisation' | 'config'> {
  /** Sender's title in mails. */
  readonly title?: string
  /** Assignable roles; by default those of the organisation's own forms. */
  readonly roles?: readonly UserRole[]
}

type CheckedFields = Pick<NewUser, UserField>
type CheckedChanges = Omit<CheckedFields, keyof PersonPhones | 'deputy'> &
  Parameters<typeof readChangedPhones>[0]

/**
 * Refuses invalid combinations that the body's schema cannot express; unchanged values may stay.
 * @returns the fields with the phone numbers as they are stored
 */
function checkedFields<Given extends CheckedChanges>(
  given: Given,
  caller: Administrator,
  before?: User,
): Given & PersonPhones {
  const fields: Record<string, string> = {}
  for (const field of ['firstName', 'lastName'] as const) {
    const problem = nameProblem(given[field], caller.config.nameCharacters)
    if (problem && given[field] !== before?.[field]) fields[field] = problem
  }
  const { phones, problems } = readChangedPhones(given, before ?? NO_PHONES, phoneReader(caller.config))
  for (const { field } of problems) fields[field] = INVALID_PHONE
  const { role } = given
  if (!(caller.roles ?? OFFERED_ROLES).some((offered) => offered === role) && role !== before?.role)
    fields['role'] = 'This role cannot be chosen here.'
  const [problem] = Object.values(fields)
  if (problem) throw new Refusal(400, problem, { fields })
  return { ...given, ...pick(phones, PHONE_FIELDS) }
}

/** Records the creation of a user. */
export const recordCreated = (db: OrgDb, user: User): void =>
  record(db, {
    noun: 'users',
    record: user.uuid,
    verb: 'created',
    changes: changesBetween<Partial<User>>({}, user, ['email', ...USER_FIELDS]),
  })

/** Adds a user and, by default, mails a link to set a password. */
export async function createUser(
  services: Services,
  db: OrgDb,
  caller: Administrator,
  given: NewUser,
): Promise<User> {
  const checked = checkedFields(given, caller)
  await demandDeputy(db, given.deputy, given.email)
  const now = clock.timestamp()
  const passwordChangeSince = given.passwordChangeRequired ? now : null
  const user = await insertUser(db, { ...checked, passwordChangeSince }, now)
  if (!user) throw wrongField('email', EMAIL_TAKEN, 409)
  recordCreated(db, user)
  return given.sendWelcomeSetPasswordEmail ? sendActivation(services, db, caller, user) : user
}

async function hold(db: OrgDb, id: string): Promise<User> {
  const user = await holdUser(db, id)
  if (!user) throw notFound(USER)
  return user
}

/** True for an administrator who can act. */
export const administers = (user: Pick<User, 'role' | 'type' | 'active'>): boolean =>
  user.role === 'ADMIN' && user.type === 'INTERNAL' && user.active

/** Changes a user, whose address stays. */
export async function changeUser(
  services: Services,
  db: OrgDb,
  caller: Administrator,
  id: string,
  given: UserChanges,
): Promise<User> {
  const before = await hold(db, id)
  demand(userCan.edit(before), 409, 'An archived user cannot be edited. Reactivate the user first.')
  if (given.email !== undefined && given.email !== before.email)
    throw wrongField('email', 'The email address of a user cannot be changed.')
  if (given.version !== undefined && given.version !== before.version)
    throw stale(await findLastEditor(db, 'users', id, ['updated', 'deactivated', 'reactivated']))
  const { deputy = before.deputy } = given
  const checked = { ...checkedFields(given, caller, before), deputy }
  if (deputy !== before.deputy) await demandDeputy(db, deputy, before.email)
  if (administers(before) && !administers({ ...given, active: true })) {
    demand(id !== caller.id, 409, 'You cannot take away your own administrator rights.')
    demand((await countAdministrators(db)) > 1, 409, LAST_ADMINISTRATOR)
  }
  const changes = changesBetween<CheckedFields>(before, checked, USER_FIELDS)
  let user = before
  if (Object.keys(changes).length > 0) {
    user = await updateUser(db, id, checked, clock.timestamp())
    record(db, { noun: 'users', record: id, verb: 'updated', changes })
    if (changes.role) await runHook(db, 'userAdmitted', { userId: id })
  }
  const { passwordChangeRequired = before.passwordChangeRequired } = given
  if (passwordChangeRequired !== before.passwordChangeRequired)
    user = await requirePasswordChange(db, id, passwordChangeRequired)
  if (!given.sendWelcomeSetPasswordEmail) return user
  await demandLink(services, db, user, caller, 'activation')
  return sendActivation(services, db, caller, user)
}

/** Requires a new password in sessions that begin from now on, or withdraws that. */
function requirePasswordChange(db: OrgDb, id: string, isRequired: boolean): Promise<User> {
  const now = clock.timestamp()
  record(db, {
    noun: 'users',
    record: id,
    verb: isRequired ? 'password change required' : 'password change no longer required',
  })
  return updateUser(db, id, { passwordChangeSince: isRequired ? now : null }, now)
}

/** Archives a user and ends all their sessions. An archived user stays archived. */
export async function deactivateUser(db: OrgDb, caller: Pick<Caller, 'id'>, id: string): Promise<void> {
  const user = await hold(db, id)
  demand(id !== caller.id, 409, 'You cannot deactivate yourself.')
  if (!user.active) return
  if (administers(user)) demand((await countAdministrators(db)) > 1, 409, LAST_ADMINISTRATOR)
  const now = clock.timestamp()
  await updateUser(db, id, { active: false }, now)
  await updateTokensUsed(db, id, now)
  record(db, {
    noun: 'users',
    record: id,
    verb: 'deactivated',
    changes: { active: { from: true, to: false } },
  })
  await runHook(db, 'userSignedOut', { userId: id, reason: 'deactivated' })
}

/** Ends all sessions and pending sign-ins of another active user. */
export async function endUserSessions(db: OrgDb, caller: Pick<Caller, 'id'>, id: string): Promise<void> {
  await holdActive(db, id)
  demand(id !== caller.id, 409, 'Your own devices are signed out in your account, under Devices.')
  await runHook(db, 'userSignedOut', { userId: id, reason: 'signed out by an administrator' })
  record(db, { noun: 'users', record: id, verb: 'sessions ended' })
}

/**
 * Ends everything that a stolen device of a user opens: sessions, pending sign-ins, links to set a password, the address
 * of the calendar, and tickets, which are those of sessions. The user can sign in again.
 */
export async function revokeUser(db: OrgDb, caller: Pick<Caller, 'id'>, id: string): Promise<void> {
  await hold(db, id)
  demand(id !== caller.id, 409, 'Your own devices are signed out in your account, under Devices.')
  await updateTokensUsed(db, id, clock.timestamp())
  await runHook(db, 'userSignedOut', { userId: id, reason: 'access revoked' })
  await runHook(db, 'userRevoked', { userId: id })
  record(db, { noun: 'users', record: id, verb: 'access revoked' })
}

/** Makes an archived user active again. */
export async function reactivateUser(db: OrgDb, id: string): Promise<User> {
  const user = await hold(db, id)
  if (user.active) return user
  record(db, {
    noun: 'users',
    record: id,
    verb: 'reactivated',
    changes: { active: { from: false, to: true } },
  })
  const active = await updateUser(db, id, { active: true }, clock.timestamp())
  await runHook(db, 'userAdmitted', { userId: id })
  return active
}

/**
 * Bans a user from signing in and ends all their sessions, without archiving the record. A banned user stays banned.
 */
export async function banUser(db: OrgDb, id: string): Promise<User> {
  const user = await hold(db, id)
  if (user.banned) return user
  if (administers(user)) demand((await countAdministrators(db)) > 1, 409, LAST_ADMINISTRATOR)
  const now = clock.timestamp()
  const banned = await updateUser(db, id, { banned: true }, now)
  await updateTokensUsed(db, id, now)
  record(db, { noun: 'users', record: id, verb: 'banned', changes: { banned: { from: false, to: true } } })
  await runHook(db, 'userSignedOut', { userId: id, reason: 'banned' })
  return banned
}

/** Lets a banned user sign in again. */
export async function unbanUser(db: OrgDb, id: string): Promise<User> {
  const user = await hold(db, id)
  if (!user.banned) return user
  record(db, { noun: 'users', record: id, verb: 'unbanned', changes: { banned: { from: true, to: false } } })
  const unbanned = await updateUser(db, id, { banned: false }, clock.timestamp())
  await runHook(db, 'userAdmitted', { userId: id })
  return unbanned
}

const LINK_LIFE: { readonly [P in TokenPurpose]: number } = { activation: 7 * DAY, reset: HOUR }

/** Single-use links that set passwords, by user (decisions §6). */
async function passwordLinks<Of extends { uuid: string; email: string }>(
  services: Services,
  db: OrgDb,
  users: readonly Of[],
  organisation: { id: string; code: string },
  purpose: TokenPurpose,
): Promise<{ user: Of; href: string }[]> {
  const sealed = users.map((user) => ({ user, ...sealToken('mo', organisation.id) }))
  const expiresTimestamp = new Date(clock.now() + LINK_LIFE[purpose]).toISOString()
  await insertOneTimeTokens(
    db,
    sealed.map(({ user, hash }) => ({ hash, userId: user.uuid, purpose, expiresTimestamp })),
  )
  const base = services.publicUrl()
  return sealed.map(({ user, token }) => {
    const query = new URLSearchParams({
      u: user.uuid,
      e: organisation.code,
      t: token,
      a: Buffer.from(`${base}/api`).toString('base64'),
      m: user.email,
    })
    return { user, href: `${base}/set-password?${query}` }
  })
}

/** A single-use link that sets a user's password. */
export async function passwordLink(
  services: Services,
  db: OrgDb,
  user: { uuid: string; email: string },
  organisation: { id: string; code: string },
  purpose: TokenPurpose,
): Promise<string> {
  const [link] = await passwordLinks(services, db, [user], organisation, purpose)
  return link!.href
}

/** Mails users links to set their first passwords. */
export async function sendActivations(
  services: Services,
  db: OrgDb,
  { organisation }: Pick<Caller, 'organisation'>,
  users: readonly User[],
): Promise<User[]> {
  if (users.length === 0) return []
  const links = await passwordLinks(services, db, users, organisation, 'activation')
  const mails = links.map(({ user, href }) => ({
    to: user.email,
    ...activationLetter(user, organisation, href),
  }))
  await services.post.mail(db, ...mails)
  for (const { uuid } of users) record(db, { noun: 'users', record: uuid, verb: 'activation email sent' })
  return updateActivationSent(
    db,
    users.map(({ uuid }) => uuid),
  )
}

async function sendActivation(
  services: Services,
  db: OrgDb,
  caller: Pick<Caller, 'organisation'>,
  user: User,
): Promise<User> {
  const [sent] = await sendActivations(services, db, caller, [user])
  return sent!
}

interface Office extends Pick<Caller, 'organisation'> {
  /** Actor at the beginning of a sentence; by default an administrator of the organisation. */
  readonly title?: string
}
const titleOf = ({ title, organisation }: Office): string =>
  title ?? `An administrator of ${organisation.displayName}`

/** Rate limit of links that administrators mail one person. 409, because 429 would sign them out (decision 029). */
export async function demandLink(
  { attempts }: Services,
  db: OrgDb,
  to: User,
  from: Office,
  purpose: TokenPurpose,
) {
  const way = `${purpose} by administrators ${from.organisation.id}`
  const tooMany = await attempts.takeMail(db, way, to.email, { daily: true })
  demand(
    !tooMany,
    409,
    'This user was sent too many of these emails. Please wait before sending another one.',
  )
}

async function holdActive(db: OrgDb, id: string): Promise<User> {
  const user = await hold(db, id)
  demand(user.active, 409, 'This user is archived. Reactivate the user first.')
  return user
}

/** Mails a user the link to set the first password again. */
export async function activateAgain(
  services: Services,
  db: OrgDb,
  caller: Office,
  id: string,
): Promise<void> {
  const user = await holdActive(db, id)
  await demandLink(services, db, user, caller, 'activation')
  await sendActivation(services, db, caller, user)
}

/** Mails a user a link to set a new password, in the administrator's name. */
export async function sendPasswordReset(
  services: Services,
  db: OrgDb,
  by: Office,
  id: string,
): Promise<void> {
  const { organisation } = by
  const user = await holdActive(db, id)
  await demandLink(services, db, user, by, 'reset')
  const href = await passwordLink(services, db, user, organisation, 'reset')
  await services.post.mail(db, {
    to: user.email,
    ...emailMessage({
      subject: `Set a new password for ${organisation.displayName}`,
      before: [`Hello ${user.firstName},`, `${titleOf(by)} asks you to set a new password:`],
      link: { href, label: 'Set a new password' },
      after: [
        'The link works once, and for one hour. Your present password stays good until you have set another one.',
        'If you did not expect this, please ask your administrator.',
      ],
    }),
  })
  record(db, { noun: 'users', record: id, verb: 'password reset email sent' })
}

/**
 * Deletes the authenticator app of a user who lost it, and notifies them by mail.
 * @throws Refusal 400 where there is none
 */
export async function resetAuthenticator(
  services: Pick<Services, 'post'>,
  db: OrgDb,
  by: Pick<Office, 'title' | 'organisation'>,
  id: string,
): Promise<void> {
  const { organisation } = by
  const user = await hold(db, id)
  demand(
    await hasAuthenticator(db, { kind: 'person', id }),
    400,
    'This user has not enrolled an authenticator app.',
  )
  await removeAuthenticator(db, { kind: 'person', id })
  await services.post.mail(db, {
    to: user.email,
    ...emailMessage({
      subject: `Your authenticator app was removed at ${organisation.displayName}`,
      before: [
        `Hello ${user.firstName},`,
        `${titleOf(by)} removed your authenticator app. Its codes and your recovery codes no longer work.`,
        'If a code is asked for when you sign in next time, you will be shown how to set up an app again.',
        'If you did not ask for this, please tell your administrator at once.',
      ],
    }),
  })
}

const activationLetter = (
  user: { firstName: string; email: string },
  organisation: { code: string; displayName: string },
  href: string,
): EmailMessage =>
  emailMessage({
    subject: `Set your password for ${organisation.displayName}`,
    before: [
      `Hello ${user.firstName},`,
      `An account was made for you, so that you can work with ${organisation.displayName} in incidents and exercises. Please set your password:`,
    ],
    link: { href, label: 'Set your password' },
    after: [
      'The link works once, and for 7 days. If it has expired, ask your administrator for another one.',
      `To sign in later you need the organization code ${organisation.code} and your email address, ${user.email}.`,
      'If you did not expect this message, you can ignore it: nobody can use an account without a password.',
    ],
  })
