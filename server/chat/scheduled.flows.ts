import { chatAccess } from '#contract/chat/access.ts'
import {
  type Message,
  MESSAGE_REQUIRED,
  type NewScheduledMessage,
  REMINDER_DAYS_MAX,
  REMINDER_PAST,
  REMINDER_TOO_LATE,
  SCHEDULED_MAX,
  type ScheduledChanges,
  type ScheduledMessage,
  TOO_MANY_SCHEDULED,
} from '#contract/chat/schema.ts'
import { allows } from '#contract/kit/access.ts'
import { permissionsOf } from '#contract/users/rules.ts'
import { findConfig } from '#server/config/flows.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import { demand, notFound, Refusal, stale, wrongField } from '#server/kit/core/refusal.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import type { Services } from '#server/kit/services.ts'
import { notifyUnsent } from '#server/notifications/flows.ts'
import { findUser } from '#server/users/store.ts'

import { deleteFiles } from './files.store.ts'
import { demandBuiltIn } from './hosted.flows.ts'
import { demandThread, sendMessage, written } from './messages.flows.ts'
import { type Acting, openedRoom } from './rooms.flows.ts'
import { findTitle } from './rooms.store.ts'
import {
  countScheduled,
  deleteScheduled,
  holdScheduled,
  insertScheduled,
  listScheduled,
  type ScheduledRow,
  takeScheduled,
  toScheduled,
  updateProblem,
  updateScheduled,
} from './scheduled.store.ts'

const QUEUE = 'scheduled-messages'
const SYSTEM: EventActor = { kind: 'system', id: null, name: 'scheduled messages' }
const SCHEDULED = 'This scheduled message'
const NOT_SENT = 'It could not be sent.'

interface Due {
  readonly id: string
  /** Time that the row has while this job is valid. */
  readonly at: string
}

/** The time as it is stored. */
function demandTime(sendAt: string): string {
  const now = clock.now()
  const at = Date.parse(sendAt)
  if (at <= now) throw wrongField('sendAt', REMINDER_PAST)
  if (at > now + REMINDER_DAYS_MAX * DAY) throw wrongField('sendAt', REMINDER_TOO_LATE)
  return new Date(at).toISOString()
}

/** Keeps a message for a time, once per client id. Room, thread and length are checked now and again at that time. */
export async function scheduleMessage(
  { jobs }: Services,
  db: OrgDb,
  by: Acting,
  roomId: string,
  { sendAt, clientId, text, fileIds, replyTo, threadId, isAlsoInRoom = false }: NewScheduledMessage,
): Promise<ScheduledMessage> {
  await openedRoom(db, by, roomId)
  const known = await holdScheduled(db, by.id, clientId)
  if (known) return toScheduled(known)
  const at = demandTime(sendAt)
  const { html, plain } = written(text)
  demand(plain !== '' || fileIds.length > 0, 400, MESSAGE_REQUIRED)
  if (threadId !== undefined) await demandThread(db, roomId, threadId)
  await insertScheduled(db, {
    id: clientId,
    user_id: by.id,
    room_id: roomId,
    html,
    file_ids: [...new Set(fileIds)],
    reply_to: replyTo,
    thread_id: threadId ?? null,
    is_also_in_room: isAlsoInRoom,
    send_timestamp: at,
    create_timestamp: clock.timestamp(),
  })
  demand((await countScheduled(db, by.id)) <= SCHEDULED_MAX, 409, TOO_MANY_SCHEDULED)
  await jobs.enqueueAt(db, QUEUE, at, { id: clientId, at })
  return toScheduled(await held(db, by, clientId))
}

async function held(db: OrgDb, by: Pick<Acting, 'id'>, id: string): Promise<ScheduledRow> {
  const row = await holdScheduled(db, by.id, id)
  if (!row) throw notFound(SCHEDULED)
  return row
}

export const scheduledMessages = async (db: OrgDb, by: Pick<Acting, 'id'>): Promise<ScheduledMessage[]> =>
  (await listScheduled(db, by.id, SCHEDULED_MAX)).map(toScheduled)

export async function changeScheduled(
  { jobs }: Services,
  db: OrgDb,
  by: Acting,
  id: string,
  { text, sendAt, version }: ScheduledChanges,
): Promise<ScheduledMessage> {
  const row = await held(db, by, id)
  if (version !== row.version) throw stale(by.name)
  const at = demandTime(sendAt ?? row.send_timestamp)
  const { html, plain } = written(text ?? row.html)
  demand(plain !== '' || row.file_ids.length > 0, 400, MESSAGE_REQUIRED)
  await updateScheduled(db, id, { html, at })
  await jobs.enqueueAt(db, QUEUE, at, { id, at })
  return toScheduled(await held(db, by, id))
}

const send = ({ chat }: Pick<Services, 'chat'>, db: OrgDb, by: Acting, row: ScheduledRow): Promise<Message> =>
  sendMessage(chat, db, by, row.room_id, {
    clientId: row.id,
    text: row.html,
    fileIds: row.file_ids,
    replyTo: row.reply_to,
    ...(row.thread_id !== null && { threadId: row.thread_id, isAlsoInRoom: row.is_also_in_room }),
  })

/** Sends a scheduled message now. A refusal leaves it in the list. */
export async function sendScheduled(services: Services, db: OrgDb, by: Acting, id: string): Promise<Message> {
  const row = await held(db, by, id)
  await deleteScheduled(db, id)
  return send(services, db, by, row)
}

export async function cancelScheduled({ blobs }: Services, db: OrgDb, by: Acting, id: string): Promise<void> {
  const row = await held(db, by, id)
  await deleteScheduled(db, id)
  await deleteFiles(db, blobs, row.file_ids)
}

/**
 * The author of a scheduled message as the caller of a request would be.
 * @throws Refusal 403 for somebody who could not send it now
 */
async function authorOf(db: OrgDb, userId: string): Promise<Acting> {
  const user = await findUser(db, userId)
  const config = await findConfig(db)
  demandBuiltIn({ config })
  const permissions = user ? permissionsOf(user, config, false) : []
  const isAllowed = user?.active && !user.banned && allows(chatAccess, { kind: 'person', permissions })
  if (!isAllowed) throw new Refusal(403, 'You may not send messages any longer.')
  return { id: user.id, name: user.email, type: user.type, permissions, config }
}

/** Registers the job that sends scheduled messages; call before the jobs begin. */
export function sendScheduledMessages(services: Services): void {
  const { jobs, database } = services
  jobs.handle<Due>(QUEUE, async ({ organisationId, data, last }) => {
    let actor = SYSTEM
    try {
      await database.withOrganisation({ organisationId, actor: () => actor }, async (db) => {
        const row = await takeScheduled(db, data.id, data.at)
        if (!row) return
        const by = await authorOf(db, row.user_id)
        actor = { kind: 'person', id: by.id, name: by.name }
        await send(services, db, by, row)
      })
    } catch (error) {
      if (!(error instanceof Refusal) && !last) throw error
      const problem = error instanceof Refusal ? error.message : NOT_SENT
      await database.withOrganisation({ organisationId, actor: () => SYSTEM }, (db) =>
        keepRefused(db, { ...data, problem }),
      )
    }
  })
}

/** Keeps a refused message with the reason, and notifies its author. */
async function keepRefused(db: OrgDb, refused: Due & { readonly problem: string }): Promise<void> {
  const row = await updateProblem(db, refused)
  const author = row && (await findUser(db, row.user_id))
  if (!author) return
  const { name, isTabletop } = await findTitle(db, row.room_id)
  await notifyUnsent(
    db,
    { uuid: author.id, type: author.type },
    { roomId: row.room_id, name: name ?? 'Chat', isTabletop, problem: refused.problem },
  )
}
