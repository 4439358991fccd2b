import { RINGS_MAX } from '#contract/calls/schema.ts'
import {
  NUDGE_EVERY,
  type NewNudge,
  type NudgeChannel,
  type Nudged,
} from '#contract/incident-nudges/schema.ts'
import { SEVERITY_WORDS } from '#contract/incidents/rules.ts'
import { cut } from '#contract/kit/cut.ts'
import { LIMIT_REACHED } from '#contract/kit/limits.ts'
import { ringPeople } from '#server/calls/flows.ts'
import { enterEverybodyAsked } from '#server/chat/incidents.flows.ts'
import { findRoom } from '#server/chat/rooms.store.ts'
import { externalsOf } from '#server/incidents/access.flows.ts'
import type { IncidentWithTargets } from '#server/incidents/reading.store.ts'
import { waitingPeople } from '#server/incidents/team.flows.ts'
import type { WaitingPerson } from '#server/incidents/team.store.ts'
import { clock } from '#server/kit/core/clock.ts'
import { demand, FORBIDDEN, Refusal } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { emailMessage } from '#server/kit/messages/email-messages.ts'
import { isReachable } from '#server/kit/messages/phones.ts'
import type { Services } from '#server/kit/services.ts'
import { sendNotification } from '#server/mass-notifications/sending.flows.ts'
import { demandSubscription } from '#server/mass-notifications/flows.ts'
import { notify } from '#server/notifications/flows.ts'

import { claimNudges, findFirstNudge } from './store.ts'

const NOBODY = 'Nobody is waited for.'
const NOT_REACHABLE = 'Nobody who is waited for can be reached this way.'
const NO_CALL = 'Please start the call of this incident first.'
const BY: { readonly [C in NudgeChannel]: string } = {
  MESSAGE: 'by message',
  SMS: 'by SMS',
  CALL: 'by a call',
}
const TITLE = 'Please check in'

interface Act {
  readonly services: Services
  readonly db: OrgDb
  readonly by: Caller
  readonly incident: IncidentWithTargets
  /** People who may be nudged now. */
  readonly people: readonly WaitingPerson[]
}

/** Name of an incident with its severity; that of an exercise is marked. */
const nameOf = ({ isTabletop, severity, title }: IncidentWithTargets): string =>
  `${isTabletop ? 'EXERCISE' : 'Incident'} (${SEVERITY_WORDS[severity]} severity): ${title}`

/** A notification in the product, and an email. */
async function sendMessages({ services, db, by, incident, people }: Act): Promise<void> {
  await notify(
    db,
    by,
    people.map(({ id }) => id),
    {
      title: TITLE,
      details: incident.title,
      incidentId: incident.id,
      activityId: null,
      isTabletop: incident.isTabletop,
      externals: externalsOf(people),
    },
  )
  const message = emailMessage({
    subject: `${incident.isTabletop ? 'EXERCISE: ' : ''}${TITLE}: ${incident.title}`,
    before: [`${nameOf(incident)}.`, `${by.organisation.displayName} waits for you to check in.`],
    link: { href: `${services.publicUrl()}/incidents/${incident.id}`, label: 'Check in' },
  })
  await services.post.mail(db, ...people.map(({ email: to }) => ({ to, ...message })))
}

/** A mass notification by SMS: it takes from the quota, and its history tells who was reached. */
async function sendSms({ services, db, by, incident, people }: Act): Promise<void> {
  const max = by.config.massNotifsSmsMessageLimit
  await sendNotification(services, db, by, {
    title: null,
    emailMessage: null,
    smsMessage: cut(`${TITLE}. ${nameOf(incident)}`, max),
    types: ['SMS'],
    level: 'CRITICAL',
    contactListIds: [],
    contactIds: [],
    groupIds: [],
    waitingIncidentId: incident.id,
    waitingUserIds: people.map(({ id }) => id),
  })
}

/** Rings from the call of the incident's room. People who are asked become members of the room first. */
async function ring({ services, db, by, incident, people }: Act): Promise<void> {
  const roomId = incident.breakoutRoomId
  const call = roomId === null ? null : (await findRoom(db, by.id, roomId))?.callDetails
  if (roomId === null || !call) throw new Refusal(409, NO_CALL)
  await enterEverybodyAsked(db, roomId, RINGS_MAX)
  const userIds = people.map(({ id }) => id)
  await ringPeople(services, db, by, call.callId, { who: 'PEOPLE', userIds })
}

const SEND: { readonly [C in NudgeChannel]: (act: Act) => Promise<void> } = {
  MESSAGE: sendMessages,
  SMS: sendSms,
  CALL: ring,
}

function demandChannel(by: Caller, channel: NudgeChannel): void {
  if (channel === 'SMS') {
    demand(by.permissions.includes('mass-notifs'), 403, FORBIDDEN)
    demandSubscription(by)
  }
  if (channel === 'CALL') demand(by.permissions.includes('chats'), 403, FORBIDDEN)
}

/**
 * The people among these who may be nudged now; they count as nudged.
 * @throws Refusal 429 that says when the first of them can be nudged again
 */
async function claim(
  db: OrgDb,
  people: readonly WaitingPerson[],
  channel: NudgeChannel,
): Promise<readonly WaitingPerson[]> {
  const now = clock.now()
  const ids = people.map(({ id }) => id)
  const [at, before] = [now, now - NUDGE_EVERY].map((time) => new Date(time).toISOString())
  const claimed = new Set(await claimNudges(db, ids, { channel, at: at!, before: before! }))
  if (claimed.size > 0) return people.filter(({ id }) => claimed.has(id))
  const who = people.length === 1 ? 'This person was' : 'These people were'
  const first = Date.parse((await findFirstNudge(db, ids, channel)) ?? at!)
  throw new Refusal(429, `${who} nudged ${BY[channel]} less than a minute ago.`, {
    code: LIMIT_REACHED,
    msUntilNextAttempt: Math.max(0, first + NUDGE_EVERY - now),
  })
}

/**
 * Nudges people who have not checked in, or those among `userIds`, except the caller. People who were nudged by the
 * channel less than a minute ago are left out.
 * @throws Refusal 403 for a channel that the caller may not use, 409 where there is nobody to nudge, 429 where
 * everybody was nudged less than a minute ago
 */
export async function nudge(
  services: Services,
  db: OrgDb,
  by: Caller,
  id: string,
  { channel, userIds }: NewNudge,
): Promise<Nudged> {
  demandChannel(by, channel)
  const { incident, people: waiting } = await waitingPeople(db, id, { userIds: userIds ?? null })
  const others = waiting.filter((person) => person.id !== by.id)
  demand(others.length > 0, 409, NOBODY)
  const countries = by.config.twilioAllowedCountryCodes
  const reachable =
    channel === 'SMS'
      ? others.filter(
          ({ phone, secondPhone }) => isReachable(phone, countries) || isReachable(secondPhone, countries),
        )
      : others
  demand(reachable.length > 0, 409, NOT_REACHABLE)
  const people = await claim(db, reachable, channel)
  await SEND[channel]({ services, db, by, incident, people })
  const told = { channel, people: people.map(({ email }) => email) }
  record(db, {
    noun: 'incident-nudges',
    record: crypto.randomUUID(),
    parent: id,
    verb: 'sent',
    changes: Object.fromEntries(Object.entries(told).map(([field, to]) => [field, { from: null, to }])),
    externals: [],
  })
  return {
    nudged: people.length,
    tooSoon: reachable.length - people.length,
    unreachable: others.length - reachable.length,
  }
}
