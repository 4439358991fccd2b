import { listKeyOf, phoneProblem } from '#contract/contacts/rules.ts'
import { GROUPS_OFF, NO_SUCH_GROUP } from '#contract/groups/schema.ts'
import { isPhoneDoubtful } from '#contract/mass-notifications/rules.ts'
import { pricesOf } from '#contract/kit/message-prices.ts'
import {
  type ChosenContacts,
  NOTIFICATION_TYPES,
  type NotificationGroup,
  type NotificationReach,
  type NotificationType,
  type NotifiedPerson,
  type Recipients,
} from '#contract/mass-notifications/schema.ts'
import { type ChosenContact, listChosen, listNames } from '#server/contacts/store.ts'
import { STANDING_LABELS } from '#contract/notification-questions/rules.ts'
import { waitingPeople } from '#server/incidents/team.flows.ts'
import type { Waited } from '#server/incidents/team.store.ts'
import { demand, FORBIDDEN, notFound } from '#server/kit/core/refusal.ts'
import { type OrgDb, unitOf } from '#server/kit/database/db.ts'
import type { Page } from '#server/kit/http/answers.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { findWithheld } from '#server/kit/messages/suppressions.ts'
import { isReachable, readPhone } from '#server/kit/messages/phones.ts'

import { listFollowed } from './answers.store.ts'
import { personPlaces } from './recipients.store.ts'
import {
  findNotification,
  listCountedGroups,
  listEverybody,
  listMembers,
  listMembersOnce,
  type Member,
} from './store.ts'

const NO_SUCH_LIST = 'This contact list does not exist.'
const NO_SUCH_CONTACT = 'This contact does not exist.'
const NO_ACCESS = 'You do not have access to this group.'

/** Name of all people of the organisation, as that of a group. */
export const EVERYBODY = 'Everybody'
/** Names of the people of an incident, as those of a group. */
const waitingName = (title: string) => `Not checked in: ${title}`
const teamName = (title: string) => `Team: ${title}`

const NOBODY_WAITS = { waiting: [], isExercise: false, isTest: false, followedIncidentId: null } as const

/** The caller who chooses recipients. */
export type Chooser = Pick<Caller, 'kind' | 'id' | 'permissions' | 'config'>

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
    userPhoneCount: phones.filter((numbers) => numbers.some((phone) => isReachable(phone, countries))).length,
  }))
}

/** The number that is dialled: the second one where only that can be reached. */
export const dialledOf = (
  first: string | null,
  second: string | null,
  countries: readonly string[],
): string | null =>
  !isReachable(first, countries) && isReachable(second, countries) ? second : (first ?? second)

/** A member as a recipient, with the number in international form. */
export function memberOf(
  { name, email, phone: first, secondPhone, groupId, groupName }: Member,
  countries: readonly string[],
): NotifiedPerson {
  const phone = dialledOf(first, secondPhone, countries)
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
  // Unchecked numbers are tried.
  phoneProblem: phone !== null && valid !== false ? null : phoneProblem(phone, phoneCountry),
})

type PeopleQuery = Parameters<typeof listMembersOnce>[2]

/** Active members of groups, de-duplicated below the first of their groups. */
export async function groupMembers(
  db: OrgDb,
  { config }: Pick<Caller, 'config'>,
  groupIds: readonly string[],
  query: PeopleQuery,
): Promise<Page<NotifiedPerson>> {
  const { rows, total } = await listMembersOnce(db, groupIds, query)
  return { rows: rows.map((member) => memberOf(member, config.twilioAllowedCountryCodes)), total }
}

/** Contacts chosen by lists and addresses, with those lists. */
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

export interface Chosen {
  readonly lists: readonly string[]
  readonly emails: readonly string[]
  readonly groups: readonly NotificationGroup[]
  readonly contacts: readonly ChosenContact[]
  /** People who have not checked in to the chosen incident, and those who are followed up. */
  readonly waiting: readonly Member[]
  /** True where that incident, or the notification that is followed up, is an exercise. */
  readonly isExercise: boolean
  /** True where a communication test is followed up. */
  readonly isTest: boolean
  /** The incident of the notification that is followed up; null for none. */
  readonly followedIncidentId: string | null
}
type Elsewhere = Pick<Chosen, 'waiting' | 'isExercise' | 'isTest' | 'followedIncidentId'>

export const readsIncidents = (permissions: Chooser['permissions']): boolean =>
  permissions.some((one) => one === 'incidents-read-only' || one === 'incidents-full-access')

/** People who have not checked in to an incident, as members of a group by the incident's id. */
async function waitingMembers(
  db: OrgDb,
  { permissions }: Pick<Chooser, 'permissions'>,
  incidentId: string,
  waited: Partial<Waited>,
): Promise<Elsewhere> {
  demand(readsIncidents(permissions), 403, FORBIDDEN)
  const { incident, people } = await waitingPeople(db, incidentId, waited)
  const groupName = (waited.withCheckedIn ? teamName : waitingName)(incident.title)
  const waiting = people.map((person) => ({ ...person, groupId: incidentId, groupName }))
  return { ...NOBODY_WAITS, waiting, isExercise: incident.isTabletop }
}

/**
 * People of an earlier notification by their state in its question, as members of a group by its id.
 * @throws Refusal 404
 */
async function followedMembers(
  db: OrgDb,
  { notificationId, standing }: NonNullable<Recipients['followUp']>,
): Promise<Elsewhere> {
  const found = await findNotification(db, notificationId, false)
  if (!found?.question) throw notFound('This notification')
  const label = STANDING_LABELS[standing]
  const groupName = found.title === null ? label : `${label}: ${found.title}`
  const people = await listFollowed(db, notificationId, standing)
  const waiting = people.map((person) => ({
    ...person,
    secondPhone: null,
    groupId: notificationId,
    groupName,
  }))
  const { isExercise, isTest, incidentId: followedIncidentId } = found
  return { waiting, isExercise, isTest, followedIncidentId }
}

/** Numbers of the people who have not checked in, counted like a group. */
export const waitingCount = (waiting: Chosen['waiting'], countries: readonly string[]) => ({
  userCount: waiting.length,
  userPhoneCount: waiting.filter(
    ({ phone, secondPhone }) => isReachable(phone, countries) || isReachable(secondPhone, countries),
  ).length,
})

/** Names of the chosen groups, and of the people who have not checked in. */
export const groupNamesOf = ({ groups, waiting }: Chosen): string[] => [
  ...groups.map(({ name }) => name),
  ...new Set(waiting.map(({ groupName }) => groupName)),
]

/** Recipients, of whom `waitingUserIds` narrows the people who have not checked in. */
export type Requested = Recipients & {
  readonly waitingUserIds?: readonly string[] | undefined
  /** Adds all people of the organisation, without external ones and wall screens. */
  readonly everybody?: boolean | undefined
}

async function everybody(db: OrgDb): Promise<Elsewhere> {
  const group = { groupId: unitOf(db).organisationId, groupName: EVERYBODY }
  const people = await listEverybody(db)
  return { ...NOBODY_WAITS, waiting: people.map((person) => ({ ...person, ...group })) }
}

/** People of the chosen incident who have not checked in, people who are followed up, and everybody. */
async function membersElsewhere(
  db: OrgDb,
  by: Chooser,
  { waitingIncidentId, waitingUserIds, withCheckedIn = false, followUp, everybody: withEverybody }: Requested,
): Promise<Elsewhere> {
  const [waiting, followed, all] = await Promise.all([
    waitingIncidentId
      ? waitingMembers(db, by, waitingIncidentId, { userIds: waitingUserIds ?? null, withCheckedIn })
      : NOBODY_WAITS,
    followUp ? followedMembers(db, followUp) : NOBODY_WAITS,
    withEverybody ? everybody(db) : NOBODY_WAITS,
  ])
  return {
    waiting: [...waiting.waiting, ...followed.waiting, ...all.waiting],
    isExercise: waiting.isExercise || followed.isExercise,
    isTest: followed.isTest,
    followedIncidentId: followed.followedIncidentId,
  }
}

/** Resolves the recipients of a notification; each unknown name is a problem at its field. */
export async function choose(
  db: OrgDb,
  by: Chooser,
  given: Requested,
): Promise<{ chosen: Chosen; problems: Record<string, string> }> {
  const problems: Record<string, string> = {}
  const groupIds = given.groupIds.map((id) => id.toLowerCase())
  demand(groupIds.length === 0 || by.config.groupsEnabled, 403, GROUPS_OFF)
  const listKeys = given.contactListIds.map(listKeyOf)
  const [groups, names, contacts, elsewhere] = await Promise.all([
    groupIds.length === 0 ? [] : notifiableGroups(db, by, groupIds),
    listKeys.length === 0 ? [] : listNames(db, listKeys),
    listKeys.length + given.contactIds.length === 0
      ? []
      : listChosen(db, { listKeys, emails: given.contactIds }, by.config.twilioAllowedCountryCodes),
    membersElsewhere(db, by, given),
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
    chosen: {
      groups,
      contacts,
      ...elsewhere,
      lists: [...lists.values()],
      emails: [...new Set(given.contactIds)],
    },
    problems,
  }
}

/** Recipients, de-duplicated per type, with the people kept for the history. */
export interface Targets {
  readonly people: NotifiedPerson[]
  /** People whom none of the types can reach. */
  readonly unreached: NotifiedPerson[]
  readonly emails: ReadonlySet<string>
  readonly phones: ReadonlySet<string>
}

export function reach(
  { contacts, emails: targeted }: Chosen,
  members: readonly Member[],
  { types, countries }: { types: readonly NotificationType[]; countries: readonly string[] },
): Targets {
  const emails = new Set<string>()
  const phones = new Set<string>()
  const people: NotifiedPerson[] = []
  const [byMail, byPhone] = [types.includes('EMAIL'), types.some((type) => type !== 'EMAIL')]
  const named = new Set(targeted)
  /** Numbers by address that are reached already; null for none. */
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

/** Recipients of the messages of a type. */
export interface Addressed {
  /** Addresses or numbers. */
  readonly to: readonly string[]
  /** Place of the person whose own link each message gets. */
  readonly places: readonly number[]
}
/**
 * Recipients of a question, whose messages differ by person: of people who share a number, each gets an SMS with a link
 * of their own.
 */
export function addressedOf(people: readonly NotifiedPerson[], type: NotificationType): Addressed {
  const persons = personPlaces(people)
  const seen = new Set<string>()
  const to: string[] = []
  const places: number[] = []
  for (const [n, person] of people.entries()) {
    const address = takes(person, type) ? (type === 'EMAIL' ? person.email : person.phone) : null
    const key = `${persons[n]} ${address}`
    if (address === null || seen.has(key)) continue
    seen.add(key)
    to.push(address)
    places.push(persons[n]!)
  }
  return { to, places }
}

/** Number of people: a person with two numbers counts once. */
export const keyCount = (people: readonly NotifiedPerson[]): number =>
  new Set(people.map(({ email, phone }) => email ?? phone)).size
/** True when a person receives messages of a type. */
export const takes = ({ email, phone, phoneProblem }: NotifiedPerson, type: NotificationType): boolean =>
  type === 'EMAIL' ? email !== null : phone !== null && phoneProblem === null

/** Members of the chosen groups, and the people who have not checked in. */
export async function membersOf(db: OrgDb, { groups, waiting }: Pick<Chosen, 'groups' | 'waiting'>) {
  const ids = groups.map(({ id }) => id)
  return [...(ids.length === 0 ? [] : await listMembers(db, ids)), ...waiting]
}

/** Number of people that a notification would reach, counted like its sending. Groups without access count nobody. */
export async function openReach(db: OrgDb, by: Chooser, given: Recipients): Promise<NotificationReach> {
  const { chosen } = await choose(db, by, given)
  const members = await membersOf(db, {
    ...chosen,
    groups: chosen.groups.filter(({ canAccess }) => canAccess),
  })
  const countries = by.config.twilioAllowedCountryCodes
  const { userCount: waiting, userPhoneCount: waitingPhones } = waitingCount(chosen.waiting, countries)
  const { emails, phones } = reach(chosen, members, { types: NOTIFICATION_TYPES, countries })
  const prices = pricesOf(by.config, phones)
  const withheld = await findWithheld(db, [...emails, ...phones])
  const suppressedOf = (type: NotificationType, addresses: ReadonlySet<string>) =>
    [...addresses].filter((address) => withheld(type, address) !== undefined).length
  return {
    contacts: chosen.contacts.length,
    doubtful: chosen.contacts.filter(isPhoneDoubtful).length,
    withoutPhone: chosen.contacts.filter(({ phone }) => phone === null).length,
    emails: emails.size,
    phones: phones.size,
    suppressed: {
      EMAIL: suppressedOf('EMAIL', emails),
      SMS: suppressedOf('SMS', phones),
      VOICE_CALL: suppressedOf('VOICE_CALL', phones),
    },
    waiting,
    waitingPhones,
    ...(prices && { prices }),
  }
}
