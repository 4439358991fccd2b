import {
  REMINDER_DAYS_MAX,
  REMINDER_PAST,
  REMINDER_TOO_LATE,
  type SavedMessage,
  type SavedPage,
} from '#contract/chat/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import { demand, wrongField } from '#server/kit/core/refusal.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import type { Services } from '#server/kit/services.ts'
import { notifyReminder } from '#server/notifications/flows.ts'

import { foundPage, openedMessage } from './messages.flows.ts'
import { findMessage } from './messages.store.ts'
import type { Acting } from './rooms.flows.ts'
import { findTitle } from './rooms.store.ts'
import { deleteSaved, listSaved, takeReminder, upsertSaved } from './saved.store.ts'

const QUEUE = 'message-reminders'
const SYSTEM: EventActor = { kind: 'system', id: null, name: 'reminders' }

interface Reminder {
  readonly userId: string
  readonly messageId: string
  /** Time that the row has while this reminder is valid. */
  readonly at: string
}

/** Saves a message for the caller, with or without a reminder. */
export async function saveMessage(
  { jobs, chat }: Services,
  db: OrgDb,
  by: Acting,
  id: string,
  { remindAt }: { remindAt?: string | null | undefined },
): Promise<SavedMessage> {
  const { row, room } = await openedMessage(db, by, id)
  demand(row.deleted_timestamp === null, 409, 'This message was deleted.')
  const now = clock.now()
  if (remindAt) {
    const at = Date.parse(remindAt)
    if (at <= now) throw wrongField('remindAt', REMINDER_PAST)
    if (at > now + REMINDER_DAYS_MAX * DAY) throw wrongField('remindAt', REMINDER_TOO_LATE)
  }
  const saved = await upsertSaved(db, {
    userId: by.id,
    messageId: id,
    roomId: room.id,
    at: clock.timestamp(),
    remindAt,
  })
  if (remindAt) await jobs.enqueueAt(db, QUEUE, remindAt, { userId: by.id, messageId: id, at: remindAt })
  chat.own(db, { roomId: room.id, userId: by.id })
  return saved
}

export async function unsaveMessage({ chat }: Services, db: OrgDb, by: Acting, id: string): Promise<void> {
  const { room } = await openedMessage(db, by, id)
  await deleteSaved(db, by.id, id)
  chat.own(db, { roomId: room.id, userId: by.id })
}

/** The caller's saved messages, last saved first. */
export async function savedMessages(
  db: OrgDb,
  by: Acting,
  { cursor = null, limit }: { cursor?: string | null | undefined; limit: number },
): Promise<SavedPage> {
  const saved = await listSaved(db, by.id, { cursor, limit: limit + 1 })
  const page = await foundPage(
    db,
    saved.map(({ messageId }) => messageId),
    limit,
  )
  return { ...page, saved: saved.slice(0, limit) }
}

/** Registers the job that sends reminders; call before the jobs begin. */
export function remindOfMessages({ jobs, database }: Services): void {
  jobs.handle<Reminder>(QUEUE, ({ organisationId, data }) =>
    database.withOrganisation({ organisationId, actor: () => SYSTEM }, (db) => remind(db, data)),
  )
}

/** Takes the reminder and notifies its person in one transaction, so that no repetition of the job notifies again. */
async function remind(db: OrgDb, { userId, messageId, at }: Reminder): Promise<void> {
  const person = await takeReminder(db, { userId, messageId, at })
  const message = person && (await findMessage(db, messageId))
  if (!message || message.deleted_timestamp !== null) return
  const { name, isTabletop } = await findTitle(db, message.room_id)
  await notifyReminder(
    db,
    { uuid: userId, type: person.type },
    {
      roomId: message.room_id,
      messageId,
      author: fullName(message.author),
      name: name ?? 'Direct message',
      isTabletop,
      reminderTimestamp: at,
    },
  )
}
