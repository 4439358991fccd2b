import { GROUPS_OFF, NO_SUCH_GROUP } from '#contract/groups/schema.ts'
import {
  notificationsNeeded,
  recipientProblem,
  smsText,
  wordProblems,
} from '#contract/mass-notifications/rules.ts'
import {
  type Delivery,
  type NewNotification,
  NOT_SUBSCRIBED,
  type NotificationDashboard,
  type NotificationDetail,
  type NotificationGroup,
  type NotifiedPerson,
} from '#contract/mass-notifications/schema.ts'
import { type ChosenContact, listChosen, listKeyOf, listNames } from '#server/contacts/store.ts'
import { clock } from '#server/kit/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { emailMessage as emailMessageOf, plainTextEmail } from '#server/kit/messages/email-messages.ts'
import type { Post } from '#server/kit/messages/mailer.ts'
import { isReachable, readPhone } from '#server/kit/messages/phones.ts'
import { demand, notFound, Refusal, wrongField } from '#server/kit/http/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { listAdministrators } from '#server/users/store.ts'

import {
  addUsed,
  findNotification,
  findUsed,
  insertNotification,
  listCountedGroups,
  listDeliveries,
  listMembers,
  lockSending,
  type Member,
  type WholeNotification,
} from './store.ts'

const NO_SUCH_LIST = 'This contact list does not exist.'
const NO_SUCH_CONTACT = 'This contact does not exist.'
const NO_ACCESS = 'You do not have access to this group.'
const NOBODY = 'Nobody who was selected can be reached by the selected notification types.'

/** Who sends. */
export type Sender = Pick<Caller, 'kind' | 'id' | 'name' | 'permissions' | 'config'>

/** Refuses callers of an organisation without a subscription with 403, before their input is checked. */
export const demandSubscription = ({ config }: Pick<Caller, 'config'>): void =>
  demand(config.contactsAndMassNotificationsEnabled, 403, NOT_SUBSCRIBED)

/** What the organisation may still send. */
export async function openDashboard(db: OrgDb, { config }: Sender): Promise<NotificationDashboard> {
  return {
    subscribed: config.contactsAndMassNotificationsEnabled,
    remainingEvents: Math.max(0, config.massNotifsMaxEvents - (await findUsed(db))),
  }
}

/** The groups that a caller can notify, limited to `ids` where given. */
export async function notifiableGroups(
  db: OrgDb,
  { kind, id, permissions, config }: Sender,
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

const memberOf = ({ name, email, phone, groupId, groupName }: Member): NotifiedPerson => ({
  name,
  email,
  phone,
  shqGroupId: groupId,
  shqGroupName: groupName,
  lists: [],
  targeted: false,
})

/** The active members of groups, each once, below the first of their groups. */
export async function groupMembers(db: OrgDb, groupIds: readonly string[]): Promise<NotifiedPerson[]> {
  const members = new Map<string, NotifiedPerson>()
  for (const member of await listMembers(db, groupIds))
    if (!members.has(member.email)) members.set(member.email, memberOf(member))
  return [...members.values()]
}

/** One notification with how far its messages have come. */
const detailOf = async (db: OrgDb, one: WholeNotification): Promise<NotificationDetail> => {
  const counted = new Map((await listDeliveries(db, one.id)).map((delivery) => [delivery.type, delivery]))
  const none = (type: Delivery['type']): Delivery => ({ type, sent: 0, waiting: 0, failed: 0 })
  return { ...one, deliveries: one.types.map((type) => counted.get(type) ?? none(type)) }
}

/** One notification that was sent, or the refusal that there is none. */
export async function openNotification(db: OrgDb, id: string): Promise<NotificationDetail> {
  const found = await findNotification(db, id)
  if (!found) throw notFound('This notification')
  return detailOf(db, found)
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
  by: Sender,
  given: NewNotification,
): Promise<{ chosen: Chosen; problems: Record<string, string> }> {
  const problems: Record<string, string> = {}
  const groupIds = given.groupIds.map((id) => id.toLowerCase())
  demand(groupIds.length === 0 || by.config.groupsEnabled, 403, GROUPS_OFF)
  const groups = groupIds.length === 0 ? [] : await notifiableGroups(db, by, groupIds)
  const listKeys = given.contactListIds.map(listKeyOf)
  const lists = new Map(
    (listKeys.length === 0 ? [] : await listNames(db, listKeys)).map((name) => [listKeyOf(name), name]),
  )
  const chosen = { listKeys, emails: given.contactIds }
  const contacts =
    listKeys.length + given.contactIds.length === 0
      ? []
      : await listChosen(db, chosen, by.config.twilioAllowedCountryCodes)

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

/** Who is reached, each once for each type, and who they are for the history. */
interface Reached {
  readonly people: NotifiedPerson[]
  readonly emails: ReadonlySet<string>
  readonly phones: ReadonlySet<string>
}

function reach(
  { contacts, emails: targeted }: Chosen,
  members: readonly Member[],
  { types, countries }: { types: NewNotification['types']; countries: readonly string[] },
): Reached {
  const emails = new Set<string>()
  const phones = new Set<string>()
  const people: NotifiedPerson[] = []
  const [byMail, byPhone] = [types.includes('EMAIL'), types.some((type) => type !== 'EMAIL')]
  const named = new Set(targeted)
  const seen = new Set<string>()
  const add = (person: NotifiedPerson, phone: string | null) => {
    const { email } = person
    const isNew = !(seen.has(`${email} ${phone}`) || (phone === null && seen.has(`${email}`)))
    const reached = (byMail && email !== null) || (byPhone && phone !== null)
    if (!reached || !isNew) return
    seen.add(`${email}`).add(`${email} ${phone}`)
    people.push(person)
    if (byMail && email !== null) emails.add(email)
    if (byPhone && phone !== null) phones.add(phone)
  }
  for (const { name, email, phone, reachable, lists } of contacts) {
    const person = { name, email, phone, lists, targeted: named.has(email) }
    add({ ...person, shqGroupId: null, shqGroupName: null }, reachable ? phone : null)
  }
  for (const member of members) {
    const { phone } = member
    add(memberOf(member), isReachable(phone, countries) ? readPhone(phone)!.number : null)
  }
  return { people, emails, phones }
}

/** @throws Refusal 400 for words and people that are missing or do not exist */
async function demandChosen(db: OrgDb, by: Sender, given: NewNotification) {
  const problems: Record<string, string> = wordProblems(given, by.config.massNotifsSmsMessageLimit)
  const nobody = recipientProblem(given)
  if (nobody) problems['contactListIds'] = nobody
  const { chosen, problems: unknown } = await choose(db, by, given)
  Object.assign(problems, unknown)
  const [first] = Object.values(problems)
  if (first !== undefined) throw new Refusal(400, first, { fields: problems })
  return chosen
}

/**
 * @returns how many notifications remain before those that are needed
 * @throws Refusal 409 where more are needed than remain
 */
async function demandQuota(db: OrgDb, by: Sender, needed: number): Promise<number> {
  const { remainingEvents } = await openDashboard(db, by)
  if (needed <= remainingEvents) return remainingEvents
  throw new Refusal(
    409,
    `This takes ${needed} ${needed === 1 ? 'notification' : 'notifications'}, and your organization has ${remainingEvents} remaining. Nothing was sent.`,
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

/**
 * Notifies everybody who was chosen, each once for each type.
 * @throws Refusal 400 for words and people that are missing or do not exist, 403 where the organisation has no groups, 409
 *   where more would be needed than remains: then nothing is sent and nothing is used
 */
export async function sendNotification(
  { post }: { readonly post: Pick<Post, 'mail' | 'spread'> },
  db: OrgDb,
  by: Sender,
  given: NewNotification,
): Promise<NotificationDetail> {
  const { level } = given
  await lockSending(db)

  const types = [...new Set(given.types)]
  const chosen = await demandChosen(db, by, given)
  const needed = notificationsNeeded(chosen.contacts.length, chosen.groups, types)
  const remaining = await demandQuota(db, by, needed)

  const countries = by.config.twilioAllowedCountryCodes
  const members =
    chosen.groups.length === 0
      ? []
      : await listMembers(
          db,
          chosen.groups.map(({ id }) => id),
        )
  const { people, emails, phones } = reach(chosen, members, { types, countries })
  if (people.length === 0) throw wrongField('types', NOBODY)
  const emailMessage = types.includes('EMAIL') ? given.emailMessage : null
  const smsMessage = types.some((type) => type !== 'EMAIL') ? given.smsMessage : null
  const sent: WholeNotification = {
    id: crypto.randomUUID(),
    title: given.title || null,
    emailMessage,
    smsMessage,
    types,
    level,
    contactListIds: [...chosen.lists],
    contactIds: [...chosen.emails],
    groupNames: chosen.groups.map(({ name }) => name),
    createTimestamp: clock.timestamp(),
    createdBy: by.name,
    notifiedCount: new Set(people.map(({ email, phone }) => email ?? phone)).size,
    notifiedUserHistoryData: people,
  }
  await insertNotification(db, sent)
  await addUsed(db, needed)
  await warnOfQuota(post, db, by, remaining, remaining - needed)
  const sender = by.config.twilioFromPhoneNumber || null
  const spreads = types.map((channel) => {
    if (channel === 'EMAIL') {
      // A subject is one line.
      const subject = given.title!.replace(/[\r\n]+/g, ' ')
      return { channel, ...plainTextEmail(subject, emailMessage!), to: [...emails] }
    }
    const text = channel === 'SMS' ? smsText(level, smsMessage!) : smsMessage!
    return { channel, text, sender, to: [...phones] }
  })
  const states = await post.spread(db, sent.id, ...spreads)
  const told = {
    title: sent.title,
    types,
    level,
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
  const deliveries = spreads.map(({ channel: type, to }, n): Delivery => {
    const waits = states[n] === 'QUEUED'
    return { type, sent: waits ? 0 : to.length, waiting: waits ? to.length : 0, failed: 0 }
  })
  return { ...sent, deliveries }
}

/** Notes what became of a notification, once none of its messages waits any more. */
export async function recordDelivered(db: OrgDb, id: string): Promise<void> {
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
