import { phoneProblem } from '#contract/contacts/rules.ts'
import { CSV_FORMULA } from '#contract/kit/files.ts'
import { GROUPS_OFF, NO_SUCH_GROUP } from '#contract/groups/schema.ts'
import {
  isPhoneDoubtful,
  mailFooter,
  messageInWords,
  notificationsNeeded,
  OUTCOME_LABELS,
  recipientProblem,
  smsText,
  TYPE_LABELS,
  wordProblems,
} from '#contract/mass-notifications/rules.ts'
import {
  type ChosenContacts,
  type Delivery,
  type NewNotification,
  NOT_SUBSCRIBED,
  NOTIFICATION_TYPES,
  type NotificationDashboard,
  type NotificationDetail,
  type NotificationGroup,
  type NotificationReach,
  type NotificationType,
  type NotifiedPerson,
  type Recipient,
  type RecipientMessage,
  type Recipients,
  SMS_OFF,
  type SentNotification,
} from '#contract/mass-notifications/schema.ts'
import { type ChosenContact, listChosen, listKeyOf, listNames } from '#server/contacts/store.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { emailMessage as emailMessageOf, plainTextEmail } from '#server/kit/messages/email-messages.ts'
import type { Post, Spread } from '#server/kit/messages/mailer.ts'
import { isReachable, readPhone } from '#server/kit/messages/phones.ts'
import type { FileReply, Page } from '#server/kit/http/answers.ts'
import { demand, notFound, Refusal, wrongField } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { listAdministrators } from '#server/users/store.ts'

import {
  addUsed,
  countNotified,
  countReached,
  type FoundNotification,
  findNotification,
  findUsed,
  insertNotification,
  listCountedGroups,
  listDeliveries,
  listMembers,
  listMembersOnce,
  listNotifications,
  listTold,
  type Member,
  NAMES_SHOWN,
  type Reached,
  type ToldPerson,
  updateReached,
  type WholeNotification,
} from './store.ts'

const NO_SUCH_LIST = 'This contact list does not exist.'
const NO_SUCH_CONTACT = 'This contact does not exist.'
const NO_ACCESS = 'You do not have access to this group.'
const NOBODY = 'Nobody who was selected can be reached by the selected notification types.'

const PRIORITIES = { CRITICAL: 'high', NORMAL: 'normal', LOW: 'low' } as const

/** Who chooses whom to notify. */
export type Chooser = Pick<Caller, 'kind' | 'id' | 'permissions' | 'config'>
/** Who sends, and for whom. */
export interface Sender extends Chooser {
  /** An email, or the name of an API key. */
  readonly name: string
  readonly organisation: Pick<Caller['organisation'], 'displayName'>
}

/** Refuses callers of an organisation without a subscription with 403, before their input is checked. */
export const demandSubscription = ({ config }: Pick<Caller, 'config'>): void =>
  demand(config.contactsAndMassNotificationsEnabled, 403, NOT_SUBSCRIBED)

/** What the organisation may still send. */
export const openDashboard = async (
  { post }: { readonly post: Pick<Post, 'offers'> },
  db: OrgDb,
  { config, organisation }: Pick<Sender, 'config' | 'organisation'>,
): Promise<NotificationDashboard> => ({
  subscribed: config.contactsAndMassNotificationsEnabled,
  organisation: organisation.displayName,
  remainingEvents: await findRemaining(db, config),
  types: NOTIFICATION_TYPES.filter((type) => post.offers(type)),
})

type Quota = Pick<Caller['config'], 'massNotifsMaxEvents'>
const remainingOf = ({ massNotifsMaxEvents }: Quota, used: number) => Math.max(0, massNotifsMaxEvents - used)
const findRemaining = async (db: OrgDb, quota: Quota): Promise<number> =>
  remainingOf(quota, await findUsed(db))

/** The groups that a caller can notify, limited to `ids` where given. */
export async function notifiableGroups(
  db: OrgDb,
  { kind, id, permissions, config }: Chooser,
  ids?: readonly string[],
): Promise<NotificationGroup[]> {
  if (!config.groupsEnabled) return []
  const isEverywhere = kind === 'key' || permissions.includes('group-admin')
  const groups = await listCountedGroups(db, { memberId: isEverywhere ? null : id, ...(ids && { ids }) })
  const countries = config.twilioAllowedCountryCodes
  return groups.map(({ phones, ...group }) => ({
    ...group,
    userPhoneCount: phones.filter((phone) => isReachable(phone, countries)).length,
  }))
}

/** A member as somebody who is notified, with the number as it is called. */
function memberOf(
  { name, email, phone, groupId, groupName }: Member,
  countries: readonly string[],
): NotifiedPerson {
  const known = phone === null ? null : readPhone(phone)
  return {
    name,
    email,
    phone: known?.number ?? phone,
    shqGroupId: groupId,
    shqGroupName: groupName,
    lists: [],
    targeted: false,
    phoneProblem: isReachable(phone, countries) ? null : phoneProblem(phone, known?.country ?? ''),
  }
}

const contactOf = (
  { name, email, phone, phoneCountry, valid, lists }: ChosenContact,
  targeted: ReadonlySet<string>,
): NotifiedPerson => ({
  name,
  email,
  phone,
  shqGroupId: null,
  shqGroupName: null,
  lists,
  targeted: targeted.has(email),
  // A number that was not looked at is tried.
  phoneProblem: phone !== null && valid !== false ? null : phoneProblem(phone, phoneCountry),
})

type PeopleQuery = Parameters<typeof listMembersOnce>[2]

/** The active members of groups, each once, below the first of their groups. */
export async function groupMembers(
  db: OrgDb,
  { config }: Pick<Caller, 'config'>,
  groupIds: readonly string[],
  query: PeopleQuery,
): Promise<Page<NotifiedPerson>> {
  const { rows, total } = await listMembersOnce(db, groupIds, query)
  return { rows: rows.map((member) => memberOf(member, config.twilioAllowedCountryCodes)), total }
}

/** The contacts that are chosen by lists and addresses, with those lists. */
export async function chosenContacts(
  db: OrgDb,
  { config }: Pick<Caller, 'config'>,
  given: ChosenContacts,
  { filter, range }: PeopleQuery,
): Promise<Page<NotifiedPerson>> {
  const listKeys = given.contactListIds.map(listKeyOf)
  const choice = { listKeys, emails: given.contactIds, q: filter?.q }
  const rows = await listChosen(db, { ...choice, range }, config.twilioAllowedCountryCodes)
  const counted = rows.length > 0 || !range?.[0] ? rows : await listChosen(db, choice, [])
  const targeted = new Set(given.contactIds)
  return {
    rows: rows.map((contact) => contactOf(contact, targeted)),
    total: counted[0]?.total ?? counted.length,
  }
}

/** Nobody: the notification is gone. */
const NOBODY_REACHED: Reached = { sentCount: 0, waitingCount: 0, notReachedCount: 0 }
/** Notifications with their counts, which are taken anew while messages wait. */
async function withCounts(db: OrgDb, found: readonly FoundNotification[]): Promise<SentNotification[]> {
  const open = found.filter(({ sentCount }) => sentCount === null).map(({ id }) => id)
  const counted = await countReached(db, open)
  return found.map(({ sentCount, notReachedCount, ...one }) =>
    sentCount === null || notReachedCount === null
      ? { ...one, ...(counted.get(one.id) ?? NOBODY_REACHED) }
      : { ...one, sentCount, notReachedCount, waitingCount: 0 },
  )
}

/** Sent notifications, a page or all of them, with how many people they went out to. */
export async function sentNotifications(
  db: OrgDb,
  query: Parameters<typeof listNotifications>[1],
): Promise<Page<SentNotification>> {
  const { rows, total } = await listNotifications(db, query)
  return { rows: await withCounts(db, rows), total }
}

/**
 * One notification that was sent, with how far its messages have come.
 * @param withPeople whether everybody who was notified comes along
 * @throws Refusal 404 where there is none
 */
export async function openNotification(
  db: OrgDb,
  id: string,
  withPeople: boolean,
): Promise<NotificationDetail> {
  const found = await findNotification(db, id, withPeople)
  if (!found) throw notFound('This notification')
  const counted = new Map((await listDeliveries(db, id)).map((delivery) => [delivery.type, delivery]))
  const none = (type: Delivery['type']): Delivery => ({ type, sent: 0, waiting: 0, failed: 0 })
  const deliveries = found.types.map((type) => counted.get(type) ?? none(type))
  const [sent] = await withCounts(db, [found])
  return { ...sent!, ...(await countNotified(db, id)), deliveries }
}

/** What became of the message of one type to somebody. */
function messageTo(told: ToldPerson, type: NotificationType): RecipientMessage {
  const state = told[type]
  const said = { type, problem: null, reason: null }
  if (state === 'SENT' || state === 'KEPT') return { ...said, state: 'SENT' }
  if (state === 'FAILED') return { ...said, state, reason: told[`reasonOf${type}`] }
  if (state !== null) return { ...said, state: 'WAITING', reason: told[`reasonOf${type}`] }
  const { email, phone, phoneProblem: problem } = told
  if (type === 'EMAIL') return { ...said, state: 'NOT_SENT', problem: email === null ? 'NO_EMAIL' : null }
  return { ...said, state: 'NOT_SENT', problem: problem ?? (phone === null ? 'NO_PHONE' : null) }
}
const recipientOf = (told: ToldPerson): Recipient => ({
  ...told,
  messages: told.types.map((type) => messageTo(told, type)),
})

/** Those whom a notification was for, with what became of their messages. */
export async function notificationRecipients(
  db: OrgDb,
  id: string,
  query: Parameters<typeof listTold>[2],
): Promise<Page<Recipient>> {
  if (!(await findNotification(db, id, false))) throw notFound('This notification')
  const rows = await listTold(db, id, query)
  const [first] =
    rows.length > 0 || !query.range?.[0] ? rows : await listTold(db, id, { ...query, range: undefined })
  return { rows: rows.map(recipientOf), total: first?.total ?? 0 }
}

const FILE_COLUMNS = ['Outcome', 'Name', 'Email', 'Phone Number', 'Contact lists', 'Group']
/** Everybody whom a notification was for as a file, those to whom nothing was sent first. */
export async function recipientsFile(db: OrgDb, id: string): Promise<FileReply> {
  const found = await findNotification(db, id, false)
  if (!found) throw notFound('This notification')
  const { default: Papa } = await import('papaparse')
  const recipients = (await listTold(db, id, {})).map(recipientOf)
  const headings = [...FILE_COLUMNS, ...found.types.map((type) => TYPE_LABELS[type])]
  const rows = recipients.map(({ outcome, name, email, phone, lists, shqGroupName, messages }) => [
    OUTCOME_LABELS[outcome],
    name,
    email ?? '',
    phone ?? '',
    lists.join('; '),
    shqGroupName ?? '',
    ...messages.map(messageInWords),
  ])
  // The byte order mark makes spreadsheets read UTF-8.
  const csv = `\uFEFF${Papa.unparse([headings, ...rows], { escapeFormulae: CSV_FORMULA })}\r\n`
  return {
    name: `notification-${found.createTimestamp.slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    body: () => Promise.resolve(Buffer.from(csv)),
  }
}

interface Chosen {
  readonly lists: readonly string[]
  readonly emails: readonly string[]
  readonly groups: readonly NotificationGroup[]
  readonly contacts: readonly ChosenContact[]
}

/** Whom a notification is for; what names nobody is a problem at its field. */
async function choose(
  db: OrgDb,
  by: Chooser,
  given: Recipients,
): Promise<{ chosen: Chosen; problems: Record<string, string> }> {
  const problems: Record<string, string> = {}
  const groupIds = given.groupIds.map((id) => id.toLowerCase())
  demand(groupIds.length === 0 || by.config.groupsEnabled, 403, GROUPS_OFF)
  const listKeys = given.contactListIds.map(listKeyOf)
  const [groups, names, contacts] = await Promise.all([
    groupIds.length === 0 ? [] : notifiableGroups(db, by, groupIds),
    listKeys.length === 0 ? [] : listNames(db, listKeys),
    listKeys.length + given.contactIds.length === 0
      ? []
      : listChosen(db, { listKeys, emails: given.contactIds }, by.config.twilioAllowedCountryCodes),
  ])
  const lists = new Map(names.map((name) => [listKeyOf(name), name]))
  const access = new Map(groups.map(({ id, canAccess }) => [id, canAccess]))
  for (const [n, id] of groupIds.entries())
    if (!access.get(id)) problems[`groupIds.${n}`] = access.has(id) ? NO_ACCESS : NO_SUCH_GROUP
  for (const [n, key] of listKeys.entries())
    if (!lists.has(key)) problems[`contactListIds.${n}`] = NO_SUCH_LIST
  const known = new Set(contacts.map(({ email }) => email))
  for (const [n, email] of given.contactIds.entries())
    if (!known.has(email)) problems[`contactIds.${n}`] = NO_SUCH_CONTACT
  return {
    chosen: { groups, contacts, lists: [...lists.values()], emails: [...new Set(given.contactIds)] },
    problems,
  }
}

/** Recipients, de-duplicated for each type, with the people kept for the history. */
interface Targets {
  readonly people: NotifiedPerson[]
  /** Who can be reached by none of the types. */
  readonly unreached: NotifiedPerson[]
  readonly emails: ReadonlySet<string>
  readonly phones: ReadonlySet<string>
}

function reach(
  { contacts, emails: targeted }: Chosen,
  members: readonly Member[],
  { types, countries }: { types: readonly NotificationType[]; countries: readonly string[] },
): Targets {
  const emails = new Set<string>()
  const phones = new Set<string>()
  const people: NotifiedPerson[] = []
  const [byMail, byPhone] = [types.includes('EMAIL'), types.some((type) => type !== 'EMAIL')]
  const named = new Set(targeted)
  /** The numbers, null for none, under which each address is reached already. */
  const seen = new Map<string | null, Set<string | null>>()
  const missed = new Map<string | null, NotifiedPerson>()
  const add = (person: NotifiedPerson) => {
    const { email } = person
    const phone = person.phoneProblem === null ? person.phone : null
    const known = seen.get(email) ?? new Set()
    const isNew = phone === null ? known.size === 0 : !known.has(phone)
    const reached = (byMail && email !== null) || (byPhone && phone !== null)
    if (!reached && !missed.has(email)) missed.set(email, person)
    if (!reached || !isNew) return
    seen.set(email, known.add(phone))
    people.push(person)
    if (byMail && email !== null) emails.add(email)
    if (byPhone && phone !== null) phones.add(phone)
  }
  for (const contact of contacts) add(contactOf(contact, named))
  for (const member of members) add(memberOf(member, countries))
  const unreached = [...missed.values()].filter(({ email }) => !seen.has(email))
  return { people, unreached, emails, phones }
}

/** How many people there are: one who is reached on two numbers is one. */
const keyCount = (people: readonly NotifiedPerson[]): number =>
  new Set(people.map(({ email, phone }) => email ?? phone)).size
/** Whether a message of a type goes to somebody. */
const takes = ({ email, phone, phoneProblem }: NotifiedPerson, type: NotificationType): boolean =>
  type === 'EMAIL' ? email !== null : phone !== null && phoneProblem === null

const membersOf = (db: OrgDb, groups: Chosen['groups']): Promise<Member[]> =>
  groups.length === 0
    ? Promise.resolve([])
    : listMembers(
        db,
        groups.map(({ id }) => id),
      )

/** How many people a notification would reach, counted as its sending does. Groups without access count nobody. */
export async function openReach(db: OrgDb, by: Chooser, given: Recipients): Promise<NotificationReach> {
  const { chosen } = await choose(db, by, given)
  const members = await membersOf(
    db,
    chosen.groups.filter(({ canAccess }) => canAccess),
  )
  const countries = by.config.twilioAllowedCountryCodes
  const { emails, phones } = reach(chosen, members, { types: NOTIFICATION_TYPES, countries })
  return {
    contacts: chosen.contacts.length,
    doubtful: chosen.contacts.filter(isPhoneDoubtful).length,
    withoutPhone: chosen.contacts.filter(({ phone }) => phone === null).length,
    emails: emails.size,
    phones: phones.size,
  }
}

/** @throws Refusal 400 for words and people that are missing or do not exist */
async function demandChosen(post: Pick<Post, 'offers'>, db: OrgDb, by: Sender, given: NewNotification) {
  const problems: Record<string, string> = wordProblems(given, by.config.massNotifsSmsMessageLimit)
  if (!given.types.every((type) => post.offers(type))) problems['types'] = SMS_OFF
  const nobody = recipientProblem(given)
  if (nobody) problems['contactListIds'] = nobody
  const { chosen, problems: unknown } = await choose(db, by, given)
  Object.assign(problems, unknown)
  const [first] = Object.values(problems)
  if (first !== undefined) throw new Refusal(400, first, { fields: problems })
  return chosen
}

/** @throws Refusal 409 where more are needed than remain */
function demandQuota(needed: number, remaining: number): void {
  if (needed <= remaining) return
  throw new Refusal(
    409,
    `This takes ${needed} ${needed === 1 ? 'notification' : 'notifications'}, and your organization has ${remaining} remaining. Nothing was sent.`,
    { code: 'quota_exceeded' },
  )
}

/** Mails the administrators once for each configured number of remaining notifications that was passed. */
async function warnOfQuota(post: Pick<Post, 'mail'>, db: OrgDb, by: Sender, before: number, after: number) {
  const isPassed = by.config.massNotifsQuotaWarnings.some((number) => before >= number && after < number)
  if (!isPassed) return
  const message = emailMessageOf({
    subject: `${after} mass notifications remain`,
    before: [
      `Your organization has ${after} remaining mass notifications, each one an email, an SMS or a call to one person.`,
      'More can be requested on the Mass Notifications page.',
    ],
  })
  const administrators = await listAdministrators(db)
  await post.mail(db, ...administrators.map(({ email: to }) => ({ to, ...message })))
}

/** The messages of a notification. Mails say at their end whose they are, because readers may know only the product's address. */
function spreadsOf(
  { organisation, name, config }: Sender,
  { title, emailMessage, smsMessage, types, level }: WholeNotification,
  { emails, phones }: Targets,
): Spread[] {
  return types.map((channel) => {
    if (channel === 'EMAIL') {
      // A subject is one line.
      const subject = title!.replace(/[\r\n]+/g, ' ')
      const { displayName: sender } = organisation
      const words = plainTextEmail(subject, emailMessage!, mailFooter(level, sender, name))
      return { channel, ...words, sender, priority: PRIORITIES[level], to: [...emails] }
    }
    const text = channel === 'SMS' ? smsText(level, smsMessage!) : smsMessage!
    return { channel, text, sender: config.twilioFromPhoneNumber || null, to: [...phones] }
  })
}

/** What the audit log says of a notification: counts and names of lists and groups, never an address. */
function recordSent(db: OrgDb, sent: WholeNotification, needed: number): void {
  const told = {
    title: sent.title,
    types: sent.types,
    level: sent.level,
    contactLists: sent.contactListIds,
    groups: sent.groupNames,
    contactsChosen: sent.contactIds.length,
    peopleNotified: sent.notifiedCount,
    notificationsUsed: needed,
  }
  record(db, {
    noun: 'mass-notifications',
    record: sent.id,
    verb: 'sent',
    changes: Object.fromEntries(Object.entries(told).map(([field, to]) => [field, { from: null, to }])),
  })
}

/** The notification as it is shown right after it was sent. */
function detailOf(sent: WholeNotification, deliveries: Delivery[], withPeople: boolean): NotificationDetail {
  const { notifiedUserHistoryData: people, contactIds, ...rest } = sent
  const names = new Map(people.map(({ email, name }) => [email, name]))
  return {
    ...rest,
    contactIds,
    ...(withPeople && { notifiedUserHistoryData: people }),
    contactCount: people.filter(
      ({ shqGroupId, lists, targeted }) => shqGroupId === null || targeted || lists.length > 0,
    ).length,
    memberCount: people.filter(({ shqGroupId }) => shqGroupId !== null).length,
    contactNames: contactIds.slice(0, NAMES_SHOWN).map((email) => names.get(email) || email),
    deliveries,
  }
}

/**
 * Notifies everybody who was chosen, each once for each type.
 * @param withPeople whether the result has everybody who was notified
 * @throws Refusal 400 for words and people that are missing or do not exist, 403 where the organisation has no groups, 409
 *   where more would be needed than remains: then nothing is sent and nothing is used
 */
export async function sendNotification(
  { post }: { readonly post: Pick<Post, 'mail' | 'offers' | 'spread'> },
  db: OrgDb,
  by: Sender,
  given: NewNotification,
  withPeople = true,
): Promise<NotificationDetail> {
  const types = [...new Set(given.types)]
  const [chosen, known] = await Promise.all([demandChosen(post, db, by, given), findRemaining(db, by.config)])
  const needed = notificationsNeeded(chosen.contacts.length, chosen.groups, types)
  demandQuota(needed, known)

  const members = await membersOf(db, chosen.groups)
  const reached = reach(chosen, members, { types, countries: by.config.twilioAllowedCountryCodes })
  const { people, unreached } = reached
  if (people.length === 0) throw wrongField('types', NOBODY)
  const sent: WholeNotification = {
    id: crypto.randomUUID(),
    title: given.title || null,
    emailMessage: types.includes('EMAIL') ? given.emailMessage : null,
    smsMessage: types.some((type) => type !== 'EMAIL') ? given.smsMessage : null,
    types,
    level: given.level,
    contactListIds: [...chosen.lists],
    contactIds: [...chosen.emails],
    groupNames: chosen.groups.map(({ name }) => name),
    createTimestamp: clock.timestamp(),
    createdBy: by.name,
    notifiedCount: keyCount(people),
    sentCount: 0,
    waitingCount: 0,
    notReachedCount: unreached.length,
    notifiedUserHistoryData: people,
    unreached,
  }
  const counted = addUsed(db, needed)
  const spreads = spreadsOf(by, sent, reached)
  const { states, queued } = post.spread(db, sent.id, ...spreads)
  const deliveries = spreads.map(({ channel: type, to }, n): Delivery => {
    const waits = states[n] === 'QUEUED'
    return { type, sent: waits ? 0 : to.length, waiting: waits ? to.length : 0, failed: 0 }
  })
  const kept = new Set(types.filter((_, n) => states[n] !== 'QUEUED'))
  sent.sentCount = keyCount(
    people.filter((person) => types.some((type) => kept.has(type) && takes(person, type))),
  )
  sent.waitingCount = sent.notifiedCount - sent.sentCount
  const written = Promise.all([counted, queued, insertNotification(db, sent)])
  // Made while the database writes.
  const detail = detailOf(sent, deliveries, withPeople)
  const [used] = await written
  // Others may have been sent since it was read.
  const remaining = remainingOf(by.config, used)
  demandQuota(needed, remaining)
  await warnOfQuota(post, db, by, remaining, remaining - needed)
  recordSent(db, sent, needed)
  return detail
}

/** Notes what became of a notification, once none of its messages waits any more. */
export async function recordDelivered(db: OrgDb, id: string): Promise<void> {
  const counts = (await countReached(db, [id])).get(id)
  if (counts) await updateReached(db, id, counts)
  const deliveries = await listDeliveries(db, id)
  const told = { sent: 0, failed: 0 }
  for (const { sent, failed } of deliveries) {
    told.sent += sent
    told.failed += failed
  }
  record(db, {
    noun: 'mass-notifications',
    record: id,
    verb: 'delivered',
    changes: { sent: { from: null, to: told.sent }, failed: { from: null, to: told.failed } },
  })
}
