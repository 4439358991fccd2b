import { type Notifications, NOTIFICATIONS_SHOWN } from '#contract/notifications/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { clock } from '#server/kit/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { notFound } from '#server/kit/http/refusal.ts'

import {
  countUnread,
  deleteNotifications,
  insertNotifications,
  listNotifications,
  type NewNotification,
  updateAllRead,
  updateMentionsRead,
  updateRead,
} from './store.ts'

/** What a notification about an incident does not lead to. */
const NOWHERE_ELSE = { roomId: null, messageId: null, playbookId: null } as const
/** The title of a reminder. */
export const REVIEW_DUE = 'A playbook of yours is due for review'

interface Notice extends Omit<NewNotification, 'roomId' | 'messageId' | 'playbookId'> {
  readonly incidentId: string
  /** An exercise says so in every line. */
  readonly isTabletop: boolean
  /** External people among the recipients. */
  readonly externals: readonly string[]
}

/**
 * Notifies people of a task that is assigned to them or an incident that targets them, except the person who did it.
 * One event for all recipients lets their browsers refresh.
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

/** What is behind a notification about a message. */
interface Mention {
  readonly roomId: string
  readonly messageId: string
  readonly author: string
  /** Of the room. */
  readonly name: string
  /** The room belongs to an exercise. */
  readonly isTabletop: boolean
}
function insertMention(db: OrgDb, to: readonly string[], title: string, mention: Mention): Promise<void> {
  const { name, roomId, messageId, isTabletop } = mention
  const notice = {
    title: isTabletop ? `EXERCISE: ${title}` : title,
    details: name,
    incidentId: null,
    activityId: null,
    roomId,
    messageId,
    playbookId: null,
  }
  return insertNotifications(db, to, notice, clock.timestamp())
}

/**
 * Notifies people whom a message mentions, once for each message. The message itself, which their browsers receive, lets
 * them refresh; its text stays in the room.
 */
export const notifyMentioned = (db: OrgDb, to: readonly string[], mention: Mention): Promise<void> =>
  insertMention(db, to, `${mention.author} mentioned you`, mention)

/** Notifies people of a call that they did not answer, once for each call. The message is that of the call. */
export async function notifyMissed(
  db: OrgDb,
  to: readonly Pick<NamedPerson, 'uuid' | 'type'>[],
  call: Mention,
): Promise<void> {
  const ids = to.map(({ uuid }) => uuid)
  await insertMention(db, ids, `Missed call from ${call.author}`, call)
  record(db, {
    noun: 'notifications',
    record: call.roomId,
    verb: 'created',
    changes: { to: { from: null, to: ids } },
    externals: to.filter(({ type }) => type === 'EXTERNAL').map(({ uuid }) => uuid),
  })
}

/** Notifies the owner of a playbook that the day of its review has come. */
export async function notifyOwner(
  db: OrgDb,
  ownerId: string,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  const at = clock.timestamp()
  const notice = { title: REVIEW_DUE, details: name, incidentId: null, activityId: null }
  await insertNotifications(db, [ownerId], { ...notice, roomId: null, messageId: null, playbookId: id }, at)
  const changes = { to: { from: null, to: [ownerId] } }
  record(db, { noun: 'notifications', record: id, verb: 'created', changes, at })
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
/** Lets the reader's other tabs and devices know. */
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

/** Marks the mentions in a room as read that were read there. */
export async function readMentions(
  db: OrgDb,
  reader: Reader,
  roomId: string,
  sequence: number,
): Promise<void> {
  const read = await updateMentionsRead(db, reader.id, { roomId, sequence, at: clock.timestamp() })
  if (read > 0) recordRead(db, reader)
}
