import type { chatApi } from '#contract/chat/api.ts'
import type { ThreadList, ThreadPage } from '#contract/chat/schema.ts'
import type { Input } from '#contract/kit/endpoint.ts'
import { notFound } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { ChatPublisher } from '#server/kit/live/feed.ts'
import { readThreadMentions } from '#server/notifications/flows.ts'

import { foundPage, namedIn } from './messages.flows.ts'
import { findMessage, type MessageRow, toMessage } from './messages.store.ts'
import { type Acting, openedRoom } from './rooms.flows.ts'
import { listSavedAmong } from './saved.store.ts'
import {
  findThread,
  findThreadRead,
  listAnswersBeyond,
  listThreads,
  type ThreadRow,
  updateThreadRead,
} from './threads.store.ts'

const THREAD = 'This thread'

/**
 * A thread in a room of the caller, with its first message. One without answers has no row yet; one whose first message
 * retention has deleted has no first message.
 * @throws Refusal 404 for a thread of another room, and for an answer
 */
async function openedThread(
  db: OrgDb,
  by: Pick<Acting, 'id'>,
  id: string,
): Promise<{ thread: ThreadRow | undefined; first: MessageRow | undefined }> {
  const thread = await findThread(db, id)
  const first = await findMessage(db, id)
  const roomId = thread?.room_id ?? first?.room_id
  if (roomId === undefined || (first && first.thread_id !== null)) throw notFound(THREAD)
  await openedRoom(db, by, roomId)
  return { thread, first }
}

type PageQuery = Input<(typeof chatApi)['thread']>['query']
/** A page of a thread: the newest answers, or those before, after or around one. */
export async function readThreadPage(
  db: OrgDb,
  by: Pick<Acting, 'id'>,
  id: string,
  { before, after, around, limit }: PageQuery,
): Promise<ThreadPage> {
  const { thread, first } = await openedThread(db, by, id)
  const last = thread?.last_sequence ?? 0
  const older = async (from: number, most: number) =>
    (await listAnswersBeyond(db, id, { from, isOlder: true, limit: most })).toReversed()
  const newer = (from: number, most: number) =>
    listAnswersBeyond(db, id, { from, isOlder: false, limit: most })
  const half = Math.floor(limit / 2)
  const rows =
    around !== undefined
      ? [...(await older(around, half)), ...(await newer(around - 1, limit - half))]
      : after !== undefined
        ? await newer(after, limit)
        : await older(before ?? last + 1, limit)
  const all = first ? [first, ...rows] : rows
  const saved = await listSavedAmong(
    db,
    by.id,
    all.map((row) => row.id),
  )
  const begin = rows[0]?.thread_sequence ?? 1
  return {
    ...(saved.length > 0 && { saved }),
    first: first ? toMessage(first) : null,
    messages: rows.map(toMessage),
    people: await namedIn(db, all),
    hasOlder:
      begin > 1 && (await listAnswersBeyond(db, id, { from: begin, isOlder: true, limit: 1 })).length > 0,
    hasNewer: (rows.at(-1)?.thread_sequence ?? last) < last,
    readSequence: (await findThreadRead(db, id, by.id)) ?? null,
  }
}

/** The threads in which the caller takes part. */
export async function threadsOf(
  db: OrgDb,
  by: Pick<Acting, 'id'>,
  { cursor = null, limit }: { cursor?: string | null | undefined; limit: number },
): Promise<ThreadList> {
  const rows = await listThreads(db, by.id, { cursor, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const page = await foundPage(
    db,
    shown.map((row) => row.message_id),
    limit,
    shown.flatMap((row) => row.answers.users),
  )
  return {
    ...page,
    next: rows.length > limit ? shown.at(-1)!.id : null,
    threads: shown.map((row) => ({
      id: row.id,
      roomId: row.room_id,
      answers: row.answers,
      readSequence: row.read_sequence,
      isUnread: row.is_unread,
      messageId: row.message_id,
    })),
  }
}

/** Moves the caller's read mark in a thread, and tells their own devices. */
export async function readThread(
  chat: ChatPublisher,
  db: OrgDb,
  by: Pick<Acting, 'id' | 'type'>,
  id: string,
  sequence: number,
): Promise<void> {
  const { thread } = await openedThread(db, by, id)
  if (!thread) return
  await readThreadMentions(db, by, id, sequence)
  if (!(await updateThreadRead(db, { id, userId: by.id, sequence }))) return
  if (sequence >= thread.last_sequence)
    chat.thread(db, { roomId: thread.room_id, threadId: id, userIds: [by.id], isUnread: false })
}
