import { type Notifications, NOTIFICATIONS_SHOWN } from '#contract/notifications/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { notFound } from '#server/kit/core/refusal.ts'

import {
  countUnread,
  deleteNotifications,
  insertNotifications,
  listNotifications,
  type NewNotification,
  updateAllRead,
  updateHostedMentionsRead,
  updateMentionsRead,
  updateThreadMentionsRead,
  updateRead,
} from './store.ts'

/** Link targets that a notification about an incident lacks. */
const NOWHERE_ELSE = { roomId: null, playbookId: null, approvalId: null } as const
export const REVIEW_DUE = 'A playbook of yours is due for review'

interface Notice extends Pick<NewNotification, 'title' | 'details' | 'activityId'> {
  readonly incidentId: string
  /** Marks the texts as those of an exercise. */
  readonly isTabletop: boolean
  /** External people among the recipients. */
  readonly externals: readonly string[]
}

/**
 * Notifies people, except the actor, of an assigned task or an incident that targets them. One event for all recipients
 * lets their browsers refresh.
 */
export async function notify(
  db: OrgDb,
  by: { readonly id: string },
  to: readonly string[],
  { externals, isTabletop, ...notice }: Notice,
): Promise<void> {
  const others = [...new Set(to)].filter((id) => id !== by.id)
  if (others.length === 0) return
  const at = clock.timestamp()
  const title = isTabletop ? `EXERCISE: ${notice.title}` : notice.title
  await insertNotifications(db, others, { ...notice, title, ...NOWHERE_ELSE }, at)
  record(db, {
    noun: 'notifications',
    record: notice.incidentId,
    verb: 'created',
    changes: { to: { from: null, to: others } },
    externals: externals.filter((id) => others.includes(id)),
    at,
  })
}

/** The target of a notification about a message. */
interface MessageNotice {
  readonly roomId: string
  readonly author: string
  /** Name of the room. */
  readonly name: string
  /** True when the room belongs to an exercise. */
  readonly isTabletop: boolean
}
interface Mention extends MessageNotice {
  readonly messageId: string
}
const messageNotice = (title: string, { name, roomId, isTabletop }: MessageNotice) => ({
  title: isTabletop ? `EXERCISE: ${title}` : title,
  details: name,
  incidentId: null,
  activityId: null,
  roomId,
  playbookId: null,
  approvalId: null,
})
const mentionedBy = (author: string): string => `${author} mentioned you`

type Recipient = Pick<NamedPerson, 'uuid' | 'type'>
const idsOf = (people: readonly Recipient[]): string[] => people.map(({ uuid }) => uuid)
/** Records one event for all recipients of a notification about a message, so that their browsers refresh. */
function recordInRoom(db: OrgDb, roomId: string, people: readonly Recipient[]): void {
  record(db, {
    noun: 'notifications',
    record: roomId,
    verb: 'created',
    changes: { to: { from: null, to: idsOf(people) } },
    externals: idsOf(people.filter(({ type }) => type === 'EXTERNAL')),
  })
}

/**
 * Notifies people whom a message mentions, once for each message. Their browsers refresh with the message itself; its
 * text stays in the room.
 */
export async function notifyMentioned(db: OrgDb, to: readonly string[], mention: Mention): Promise<void> {
  const notice = { ...messageNotice(mentionedBy(mention.author), mention), messageId: mention.messageId }
  await insertNotifications(db, to, notice, clock.timestamp())
}

/**
 * Notifies people whom a message mentions with an audience, such as a group. An event lets their browsers refresh,
 * because the message does not name them.
 */
export async function notifyAudience(
  db: OrgDb,
  to: readonly Recipient[],
  { handles, ...mention }: Mention & { readonly handles: readonly string[] },
): Promise<void> {
  const title = `${mention.author} mentioned ${handles.map((handle) => `@${handle}`).join(' and ')}`
  const notice = { ...messageNotice(title, mention), messageId: mention.messageId }
  const notified = new Set(await insertNotifications(db, idsOf(to), notice, clock.timestamp()))
  if (notified.size === 0) return
  recordInRoom(
    db,
    mention.roomId,
    to.filter(({ uuid }) => notified.has(uuid)),
  )
}

/** A mention in a message at the hosted chat service. */
interface HostedMention extends MessageNotice {
  readonly hostedMessageId: string
  /** Time at which it was sent, in milliseconds. */
  readonly hostedMessageTimestamp: string
}
/** A member whom a message at the hosted chat service mentions. */
export interface HostedRecipient extends Recipient {
  /** True when the member has read the message already. */
  readonly hasRead: boolean
}
/**
 * Notifies people whom a message at the hosted chat service mentions, once for each message. An event lets their
 * browsers refresh, because the message itself arrived earlier.
 */
export async function notifyHostedMentioned(
  db: OrgDb,
  to: readonly HostedRecipient[],
  mention: HostedMention,
): Promise<void> {
  const { hostedMessageId, hostedMessageTimestamp } = mention
  const notice = {
    ...messageNotice(mentionedBy(mention.author), mention),
    hostedMessageId,
    hostedMessageTimestamp,
  }
  const readBy = idsOf(to.filter(({ hasRead }) => hasRead))
  const notified = new Set(await insertNotifications(db, idsOf(to), notice, clock.timestamp(), readBy))
  if (notified.size === 0) return
  recordInRoom(
    db,
    mention.roomId,
    to.filter(({ uuid }) => notified.has(uuid)),
  )
}

/** Reminds a person of a message, once for each time that they chose. */
export async function notifyReminder(
  db: OrgDb,
  to: Recipient,
  { reminderTimestamp, ...mention }: Mention & { readonly reminderTimestamp: string },
): Promise<void> {
  const notice = messageNotice(`Reminder: message of ${mention.author}`, mention)
  const { messageId } = mention
  await insertNotifications(db, [to.uuid], { ...notice, messageId, reminderTimestamp }, clock.timestamp())
  recordInRoom(db, mention.roomId, [to])
}

/** Notifies the author of a scheduled message that it was refused at its time. */
export async function notifyUnsent(
  db: OrgDb,
  to: Recipient,
  { problem, ...notice }: Omit<MessageNotice, 'author'> & { readonly problem: string },
): Promise<void> {
  const { details, ...rest } = messageNotice('Your scheduled message was not sent', { ...notice, author: '' })
  await insertNotifications(db, [to.uuid], { ...rest, details: `${details}: ${problem}` }, clock.timestamp())
  recordInRoom(db, notice.roomId, [to])
}

/** Reminds people to confirm a message, once for each time. */
export async function notifyToConfirm(
  db: OrgDb,
  to: readonly Recipient[],
  {
    title,
    reminderTimestamp,
    ...message
  }: Mention & { readonly title: string; readonly reminderTimestamp: string },
): Promise<void> {
  const notice = { ...messageNotice(title, message), messageId: message.messageId, reminderTimestamp }
  await insertNotifications(db, idsOf(to), notice, clock.timestamp())
  recordInRoom(db, message.roomId, to)
}

/** Notifies people of a missed call, once for each call. The message is that of the call. */
export async function notifyMissed(db: OrgDb, to: readonly Recipient[], call: Mention): Promise<void> {
  const notice = { ...messageNotice(`Missed call from ${call.author}`, call), messageId: call.messageId }
  await insertNotifications(db, idsOf(to), notice, clock.timestamp())
  recordInRoom(db, call.roomId, to)
}

/** Notifies people of a playbook: of a review, or of a draft. */
export async function notifyOfPlaybook(
  db: OrgDb,
  to: readonly string[],
  { id, title, details }: { readonly id: string } & Pick<Notice, 'title' | 'details'>,
): Promise<void> {
  if (to.length === 0) return
  const at = clock.timestamp()
  const notice = {
    title,
    details,
    incidentId: null,
    activityId: null,
    roomId: null,
    playbookId: id,
    approvalId: null,
  }
  await insertNotifications(db, to, notice, at)
  const changes = { to: { from: null, to: [...to] } }
  record(db, { noun: 'notifications', record: id, verb: 'created', changes, at })
}

/** Notifies people of a mass notification that waits for approval, or was decided about. */
export async function notifyOfApproval(
  db: OrgDb,
  to: readonly string[],
  { id, title, details }: { readonly id: string } & Pick<Notice, 'title' | 'details'>,
): Promise<void> {
  if (to.length === 0) return
  const at = clock.timestamp()
  const nowhere = { incidentId: null, activityId: null, roomId: null, playbookId: null }
  await insertNotifications(db, to, { title, details, ...nowhere, approvalId: id }, at)
  const changes = { to: { from: null, to: [...to] } }
  record(db, { noun: 'notifications', record: id, verb: 'created', changes, at })
}

/** Notifies people of something without a page of its own, such as a carrier that serves nobody. */
export async function notifyWithoutLink(
  db: OrgDb,
  to: readonly string[],
  { title, details }: Pick<Notice, 'title' | 'details'>,
): Promise<void> {
  if (to.length === 0) return
  const at = clock.timestamp()
  await insertNotifications(
    db,
    to,
    { title, details, incidentId: null, activityId: null, ...NOWHERE_ELSE },
    at,
  )
  const changes = { to: { from: null, to: [...to] } }
  record(db, { noun: 'notifications', record: crypto.randomUUID(), verb: 'created', changes, at })
}

/** Withdraws the notifications of an incident from people who no longer see it. */
export async function withdraw(db: OrgDb, incidentId: string, from: readonly string[]): Promise<void> {
  if (from.length > 0) await deleteNotifications(db, incidentId, from)
}

export async function findNotifications(db: OrgDb, userId: string): Promise<Notifications> {
  const data = await listNotifications(db, userId, NOTIFICATIONS_SHOWN)
  const unread = data.filter(({ hasBeenRead }) => !hasBeenRead).length
  const unreadCount = data.length < NOTIFICATIONS_SHOWN ? unread : await countUnread(db, userId)
  return { data, unreadCount }
}

interface Reader {
  readonly id: string
  readonly type: 'INTERNAL' | 'EXTERNAL'
}
/** Records an event that lets the reader's other tabs and devices refresh. */
function recordRead(db: OrgDb, reader: Reader): void {
  const externals = reader.type === 'EXTERNAL' ? [reader.id] : []
  record(db, { noun: 'notifications', record: reader.id, verb: 'read', externals })
}

/** @throws Refusal 404 for somebody else's notification */
export async function readOne(db: OrgDb, reader: Reader, id: string): Promise<void> {
  if (!(await updateRead(db, reader.id, id, clock.timestamp()))) throw notFound('This notification')
  recordRead(db, reader)
}

export async function readAll(db: OrgDb, reader: Reader): Promise<void> {
  if ((await updateAllRead(db, reader.id, clock.timestamp())) > 0) recordRead(db, reader)
}

/** Marks mentions as read that were read in the room. */
export async function readMentions(
  db: OrgDb,
  reader: Reader,
  roomId: string,
  sequence: number,
): Promise<void> {
  const read = await updateMentionsRead(db, reader.id, { roomId, sequence, at: clock.timestamp() })
  if (read > 0) recordRead(db, reader)
}

/** Marks mentions in a thread as read, up to an answer. */
export async function readThreadMentions(
  db: OrgDb,
  reader: Reader,
  threadId: string,
  sequence: number,
): Promise<void> {
  const read = await updateThreadMentionsRead(db, reader.id, { threadId, sequence, at: clock.timestamp() })
  if (read > 0) recordRead(db, reader)
}

/** Marks mentions in a room as read that were read at the hosted chat service until a time. */
export async function readHostedMentions(
  db: OrgDb,
  reader: Reader,
  roomId: string,
  until: string,
): Promise<void> {
  const read = await updateHostedMentionsRead(db, reader.id, { roomId, until, at: clock.timestamp() })
  if (read > 0) recordRead(db, reader)
}
