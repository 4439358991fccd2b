import { type RawBuilder, sql } from 'kysely'

import { type ChatChange, type ThreadAnswers, UNREAD_THREADS_MAX } from '#contract/chat/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

import { ANSWERS, listPeople, type MessageRow, SHOWN } from './messages.store.ts'
import { ownPage } from './own-pages.store.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    room_threads: {
      id: string
      room_id: string
      last_sequence: number
      last_inside_sequence: number
      answer_count: number
      last_answer_timestamp: string
      answerers: string[]
      change_sequence: number
    }
    room_thread_members: { thread_id: string; room_id: string; user_id: string; read_sequence: number }
  }
}

/** A thread as all members of its room see it. */
export interface ThreadRow {
  readonly id: string
  readonly room_id: string
  readonly answers: ThreadAnswers
  readonly last_sequence: number
  readonly change_sequence: number
}
/** Selected fields of the row `t` of threads. */
export const THREAD = sql`t.id, t.room_id, t.last_sequence, t.change_sequence, ${ANSWERS} as answers`

export async function findThread(db: OrgDb, id: string): Promise<ThreadRow | undefined> {
  const { rows } = await sql<ThreadRow>`select ${THREAD} from room_threads t where t.id = ${id}`.execute(db)
  return rows[0]
}

/** Number of the last answer that a person has read; undefined for one who does not take part. */
export async function findThreadRead(db: OrgDb, id: string, userId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('room_thread_members')
    .select('read_sequence')
    .where('thread_id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.read_sequence
}

/** The answers of a thread beyond a number, nearest first. */
export async function listAnswersBeyond(
  db: OrgDb,
  id: string,
  { from, isOlder, limit }: { from: number; isOlder: boolean; limit: number },
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`select ${SHOWN} from room_messages m where m.thread_id = ${id}
    and ${isOlder ? sql`m.thread_sequence < ${from}` : sql`m.thread_sequence > ${from}`}
    order by m.thread_sequence ${sql.raw(isOlder ? 'desc' : 'asc')} limit ${limit}`.execute(db)
  return rows
}

/** Lets the people whom an answer mentions take part from that answer on. Returns those who did not before. */
export async function enterMentioned(db: OrgDb, messageId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into room_thread_members (thread_id, room_id, user_id, read_sequence)
      select m.thread_id, m.room_id, x.user_id, m.thread_sequence - 1
        from room_messages m join room_mentions x on x.message_id = m.id
       where m.id = ${messageId} and m.thread_id is not null
    on conflict do nothing returning user_id as id`.execute(db)
  return rows.map(({ id }) => id)
}

/** People for whom an answer makes its thread unread: of those who muted the room, whom it mentions. */
export async function listAwaiting(db: OrgDb, messageId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.user_id as id from room_messages a
      join room_thread_members p on p.thread_id = a.thread_id and p.user_id <> a.user_id
      join room_members m on m.room_id = p.room_id and m.user_id = p.user_id and not m.has_left
     where a.id = ${messageId} and (not m.is_muted or exists (
       select from room_mentions x where x.message_id = a.id and x.user_id = p.user_id))`.execute(db)
  return rows.map(({ id }) => id)
}

/** Moves a person's read mark in a thread forward. Returns false where it did not move. */
export async function updateThreadRead(
  db: OrgDb,
  { id, userId, sequence }: { id: string; userId: string; sequence: number },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update room_thread_members p set read_sequence = least(${sequence}::bigint, t.last_sequence)
      from room_threads t where t.id = p.thread_id and p.thread_id = ${id} and p.user_id = ${userId}
       and p.read_sequence < least(${sequence}::bigint, t.last_sequence)`.execute(db)
  return numAffectedRows > 0n
}

/** The row `p` of a person in the thread `t` of the room of the membership `me` has unread answers. */
const IS_UNREAD = sql<boolean>`(t.last_inside_sequence > p.read_sequence and (not me.is_muted or exists (
  select from room_mentions x join room_messages m on m.id = x.message_id
   where x.user_id = p.user_id and m.thread_id = t.id and m.sequence is null
     and m.thread_sequence > p.read_sequence)))`
const taking = (userId: string): RawBuilder<unknown> => sql`room_thread_members p
  join room_threads t on t.id = p.thread_id
  join room_members me on me.room_id = t.room_id and me.user_id = p.user_id and not me.has_left
  where p.user_id = ${userId}`

/** Ids of a person's unread threads, last answered first, up to a limit. */
export async function listUnreadThreads(db: OrgDb, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select t.id from ${taking(userId)} and ${IS_UNREAD}
    order by t.last_answer_timestamp desc, t.id limit ${UNREAD_THREADS_MAX}`.execute(db)
  return rows.map(({ id }) => id)
}

type OwnThread = ThreadRow & { read_sequence: number; is_unread: boolean; message_id: string }
/** A page of the threads in which a person takes part, last answered first, after the one of the cursor. */
export async function listThreads(
  db: OrgDb,
  userId: string,
  page: { cursor: string | null; limit: number },
): Promise<OwnThread[]> {
  const mine = sql`(select p.user_id, t.room_id, t.id as message_id, t.last_answer_timestamp as create_timestamp
    from room_thread_members p join room_threads t on t.id = p.thread_id where p.user_id = ${userId})`
  const { rows } = await sql<OwnThread>`
    select ${THREAD}, p.read_sequence, ${IS_UNREAD} as is_unread,
      coalesce((select f.id from room_messages f where f.id = t.id), (
        select f.id from room_messages f where f.thread_id = t.id order by f.thread_sequence limit 1)) as message_id
      from (select x.message_id as id from ${ownPage(mine, userId, page)}) one
      join room_threads t on t.id = one.id
      join room_thread_members p on p.thread_id = t.id and p.user_id = ${userId}
      join room_members me on me.room_id = t.room_id and me.user_id = ${userId}
     order by t.last_answer_timestamp desc, t.id desc`.execute(db)
  return rows
}

/** Counts the answers of a thread again after one was deleted, as a change that members receive. */
export async function recountThread(db: OrgDb, id: string): Promise<void> {
  await sql`select recount_threads(array[${id}]::uuid[])`.execute(db)
  await sql`update room_threads set change_sequence = next_chat_sequence() where id = ${id}`.execute(db)
}

/** The counted answers of a thread, with their authors. */
export async function threadChange(db: OrgDb, row: ThreadRow): Promise<ChatChange> {
  return threadChangeOf(row, await listPeople(db, row.answers.users))
}
/** The counted answers of a thread, with their authors among those people. */
export const threadChangeOf = (row: ThreadRow, people: readonly NamedPerson[]): ChatChange => ({
  type: 'chat',
  kind: 'thread',
  sequence: row.change_sequence,
  roomId: row.room_id,
  threadId: row.id,
  answers: row.answers,
  people: people.filter(({ uuid }) => row.answers.users.includes(uuid)),
})
