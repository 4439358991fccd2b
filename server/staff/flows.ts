import {
  ALREADY_STAFF,
  type Environment,
  ENVIRONMENTS,
  LINK_EXPIRED,
  type LinkRequest,
  LOCAL,
  type StaffMember,
  type StaffSession,
} from '#contract/staff/schema.ts'
import { clock, HOUR, MINUTE, noSoonerThan } from '#server/kit/clock.ts'
import type { EventActor, ProviderDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { demand, notFound, Refusal, wrongField } from '#server/kit/http/refusal.ts'
import type { PublicContext, StaffCaller, StaffCredential } from '#server/kit/http/serve.ts'
import { emailMessage } from '#server/kit/messages/email-messages.ts'
import { newToken, tokenHash } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'

import {
  deleteStaff,
  deleteStaffSession,
  findStaff,
  findStaffByEmail,
  insertLink,
  insertNamed,
  insertStaffSession,
  listStaff,
  staffSessionLookup,
  type StaffSessionRow,
  updateLinkUsed,
  upsertInvited,
} from './store.ts'

/** Life of a magic link (decisions §3). */
const LINK_LIFE = 15 * MINUTE
/** Life of a session of the console, which is not renewed. */
const SESSION_LIFE = 12 * HOUR
/** Least duration in milliseconds of a request for a link, so that its timing does not reveal who is staff. */
const ANSWERED_AFTER_MS = 250
const SIGN_IN: EventActor = { kind: 'system', id: null, name: 'console sign-in' }
const PREFIX = 'mc_'
const TOKEN = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{43}$`)
const SIGNED_OUT = 'Please sign in.'

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
    lookup: staffSessionLookup(tokenHash(token), settings.staffEmails),
    caller: (row) => {
      if (!row) throw new Refusal(401, SIGNED_OUT)
      const { id, staff_id, email } = row as StaffSessionRow
      return { kind: 'staff', id: staff_id, name: email, sessionId: id }
    },
  }
}

/** The installations of the provider; this one is Local. */
export const environmentsOf = (
  { settings, origins }: Services,
  request: PublicContext['request'],
): Environment[] =>
  ENVIRONMENTS.map((name) => ({
    name,
    url: name === LOCAL ? origins.of(request) : (settings.environments[name] ?? null),
  }))

/**
 * Mails a link that signs a member of staff in. The reply and its timing do not reveal whether there is such a member.
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
      await insertNamed(db, settings.staffEmails, clock.timestamp())
      const member = await findStaffByEmail(db, email, settings.staffEmails)
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

/**
 * Begins a session with the secret of a mailed link, which is used up.
 * @throws Refusal 400 when the link was used, has expired or is unknown
 */
export function beginStaffSession({ database, settings }: Services, linkId: string): Promise<StaffSession> {
  return database.withProvider(SIGN_IN, async (db) => {
    const staffId = await updateLinkUsed(db, tokenHash(linkId), clock.timestamp())
    const member = staffId && (await findStaff(db, staffId, settings.staffEmails))
    if (!member) throw new Refusal(400, LINK_EXPIRED, { code: 'link_expired' })
    const token = `${PREFIX}${newToken()}`
    const expiresAt = new Date(clock.now() + SESSION_LIFE).toISOString()
    await insertStaffSession(db, {
      hash: tokenHash(token),
      staff_id: member.id,
      create_timestamp: clock.timestamp(),
      expires_timestamp: expiresAt,
    })
    record(db, { noun: 'staff', record: member.id, verb: 'signed in' })
    return { token, email: member.email, expiresAt }
  })
}

export async function endStaffSession(db: ProviderDb, { id, sessionId }: StaffCaller): Promise<void> {
  await deleteStaffSession(db, sessionId)
  record(db, { noun: 'staff', record: id, verb: 'signed out' })
}

/** All members of staff. Members whom the settings name are in the list before they first sign in. */
export async function findAllStaff({ settings }: Services, db: ProviderDb): Promise<StaffMember[]> {
  await insertNamed(db, settings.staffEmails, clock.timestamp())
  return listStaff(db, settings.staffEmails)
}

/**
 * Adds a member of staff and mails them where to sign in.
 * @throws Refusal 409
 */
export async function inviteStaff(
  services: Services,
  db: ProviderDb,
  caller: StaffCaller,
  email: string,
): Promise<StaffMember> {
  const { settings } = services
  if (settings.staffEmails.includes(email) || (await findStaffByEmail(db, email, settings.staffEmails)))
    throw wrongField('email', ALREADY_STAFF, 409)
  const member = await upsertInvited(db, email, caller.name, clock.timestamp())
  await services.post.mail(db, {
    to: email,
    ...emailMessage({
      subject: 'You can sign in to the Muster management console',
      before: [`${caller.name} gave you access to the management console. Sign in with this email address:`],
      link: { href: `${services.publicUrl()}/management-login`, label: 'Sign in' },
    }),
  })
  record(db, {
    noun: 'staff',
    record: member.id,
    verb: 'invited',
    changes: { name: { from: null, to: email } },
  })
  return member
}

/**
 * Removes a member of staff, whose sessions end.
 * @throws Refusal 404, 409
 */
export async function removeStaff(
  { settings }: Services,
  db: ProviderDb,
  caller: StaffCaller,
  id: string,
): Promise<void> {
  const member = await findStaff(db, id, settings.staffEmails)
  if (!member) throw notFound('This member of staff')
  demand(id !== caller.id, 409, 'You cannot remove yourself.')
  demand(
    !settings.staffEmails.includes(member.email),
    409,
    'The setting STAFF_EMAILS names this person. Remove the address there.',
  )
  await deleteStaff(db, id)
  record(db, {
    noun: 'staff',
    record: id,
    verb: 'removed',
    changes: { name: { from: member.email, to: null } },
  })
}
