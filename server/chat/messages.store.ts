import { CHARACTER_MAX, cut } from '#contract/kit/cut.ts'
import { type RawBuilder, sql } from 'kysely'

import type { MessageCall } from '#contract/calls/schema.ts'
import {
  IMAGE_EXTENSIONS,
  type Message,
  type MessageActivity,
  type MessageAttachment,
  type Quotation,
  type ThreadAnswers,
} from '#contract/chat/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { PERSON } from '#server/kit/database/people.ts'
import { patternOf, prefixQuery } from '#server/kit/database/search.ts'

import { iso } from './shared-rooms.store.ts'
import { nextSequence } from './heads.store.ts'
import { ownPage } from './own-pages.store.ts'

interface PrivilegedStatus {
  readonly uuid: string
  readonly timestamp: string
}
interface StoredMessage {
  id: string
  room_id: string
  sequence: number
  user_id: string
  client_id: string
  html: string
  plain: string
  mentioned: string[]
  audiences: string[]
  reply_to: string | null
  file_ids: string[]
  is_call: boolean
  call: MessageCall | null
  is_privileged: boolean
  privileged_status: PrivilegedStatus | null
  pinned_by: string | null
  pinned_timestamp: string | null
  create_timestamp: string
  update_timestamp: string
  edited_timestamp: string | null
  deleted_timestamp: string | null
  words: string
  change_sequence: number
  thread_id: string | null
  thread_sequence: number | null
}

declare module '#server/kit/database/db.ts' {
  interface Tables {
    room_messages: StoredMessage
    room_reactions: {
      message_id: string
      room_id: string
      user_id: string
      emoji: string
      create_timestamp: string
    }
  }
}

/** A file in a message. */
export interface ShownFile {
  id: string
  name: string
  extension: string
  type: string
  size: number
  at: string
}
/** A message with the displayed fields of other tables. */
export type MessageRow = Omit<StoredMessage, 'client_id' | 'plain' | 'reply_to' | 'words'> & {
  client_id: string
  author: NamedPerson
  files: ShownFile[]
  reactions: { emoji: string; userIds: string[] }[]
  quote: Quotation | null
  activities: MessageActivity[]
  answers: ThreadAnswers | null
  /**
   * True when read by an external person, from whom row-level security hides activities. Absent from a newly posted
   * row.
   */
  is_partial?: boolean
}

export const FILE = sql`jsonb_build_object('id', f.id, 'name', f.name, 'extension', f.extension, 'type', f.type,
  'size', b.size, 'at', ${iso(sql`f.create_timestamp`)})`
/** Characters of a quoted message. */
const QUOTED_MAX = 300
/** Answers of the row `t` of threads. */
export const ANSWERS = sql`jsonb_build_object('count', t.answer_count, 'last_at', ${iso(sql`t.last_answer_timestamp`)}, 'users', t.answerers)`
/** Selected fields of the row `m` of messages. */
export const SHOWN = sql`m.id, m.room_id, coalesce(m.sequence, 0) as sequence, m.thread_id, m.thread_sequence, m.user_id, m.client_id, m.html, m.mentioned, m.audiences, m.file_ids, m.is_call, m.call,
  m.is_privileged, m.privileged_status, m.pinned_by, m.pinned_timestamp, m.create_timestamp, m.update_timestamp,
  m.edited_timestamp, m.deleted_timestamp, m.change_sequence,
  (select ${PERSON} from users u where u.id = m.user_id) as author,
  case when m.file_ids = '{}' then '[]' else (
    select coalesce(jsonb_agg(${FILE} order by array_position(m.file_ids, f.id)), '[]')
      from room_files f join blobs b on b.id = f.blob_id where f.id = any(m.file_ids)) end as files,
  (select coalesce(jsonb_agg(jsonb_build_object('emoji', one.emoji, 'userIds', one.people) order by one.first), '[]')
     from (select x.emoji, jsonb_agg(x.user_id order by x.create_timestamp, x.user_id) as people, min(x.create_timestamp) as first
             from room_reactions x where x.message_id = m.id group by x.emoji) one) as reactions,
  case when m.reply_to is not null then (
    select jsonb_build_object('id', q.id, 'sequence', coalesce(q.sequence, 0), 'user', q.user_id,
        'text', left(q.plain, ${sql.lit(QUOTED_MAX + CHARACTER_MAX)}), 'deleted', q.deleted_timestamp is not null,
        'hasAttachments', q.file_ids <> '{}')
      from room_messages q where q.id = m.reply_to) end as quote,
  (select coalesce(jsonb_agg(jsonb_build_object('id', made.id, 'incidentId', made.incident_id, 'type', made.type)
       order by made.rank, made.place), '[]')
     from (
       select a.id, a.incident_id, a.type, 1 as rank, a.position as place from activities a where a.message_id = m.id
       union all
       select t.id, t.incident_id, 'ENTRY', 2, t.position from timeline_entries t
         where t.message_id = m.id and t.removed_timestamp is null
       union all
       select d.id, d.incident_id, 'DECISION', 3, d.number from incident_decisions d where d.message_id = m.id
     ) made) as activities,
  (select ${ANSWERS} from room_threads t where t.id = m.id) as answers,
  current_user = 'muster_external' as is_partial`

export const toAttachment = (file: ShownFile): MessageAttachment => {
  const isImage = IMAGE_EXTENSIONS.some((extension) => extension === file.extension.toLowerCase())
  const url = `/fe/${file.id}`
  const title = wholeName(file)
  return {
    id: file.id,
    type: isImage ? 'image' : 'file',
    asset_url: url,
    image_url: isImage ? url : null,
    thumb_url: isImage ? url : null,
    title,
    fallback: title,
    name: file.name,
    extension: file.extension,
    size: file.size,
    mimeType: file.type,
    updatedAt: file.at,
  }
}

export const toMessage = (row: MessageRow): Message => ({
  id: row.id,
  roomId: row.room_id,
  sequence: row.sequence,
  clientId: row.client_id,
  text: row.html,
  user: row.user_id,
  created_at: row.create_timestamp,
  updated_at: row.update_timestamp,
  editedAt: row.edited_timestamp,
  deletedAt: row.deleted_timestamp,
  status: 'received',
  attachments: row.files.map(toAttachment),
  hasAttachments: row.files.length > 0,
  isCall: row.is_call,
  ...(row.call && { call: row.call }),
  privileged: row.is_privileged,
  privilegedStatus: row.privileged_status,
  mentioned_users: row.mentioned,
  ...(row.audiences.length > 0 && { audiences: row.audiences }),
  replyTo: row.quote && { ...row.quote, text: cut(row.quote.text, QUOTED_MAX) },
  reactions: row.reactions,
  pinned: row.pinned_by === null ? null : { user: row.pinned_by, timestamp: row.pinned_timestamp! },
  ...(row.activities.length > 0 && { activities: row.activities }),
  ...(row.thread_id !== null && { thread: { id: row.thread_id, sequence: row.thread_sequence! } }),
  ...(row.answers && { answers: row.answers }),
})

export interface NewMessageRow {
  readonly roomId: string
  readonly userId: string
  readonly clientId: string
  readonly html: string
  readonly plain: string
  readonly words: readonly string[]
  /** Addresses that are mentioned if they belong to a member. */
  readonly emails: readonly string[]
  readonly replyTo: string | null
  readonly fileIds: readonly string[]
  readonly privilegedStatus: PrivilegedStatus | null
  /** The thread that it answers in. */
  readonly threadId?: string | undefined
  /** True for an answer that the room shows as well. */
  readonly isAlsoInRoom?: boolean | undefined
  readonly at: string
}
interface PostedRow {
  readonly row: MessageRow
  readonly isDirect: boolean
  /** True when the message existed already. */
  readonly isRepeated: boolean
  readonly replyTo: string | null
}
/** Adds a message, or finds the one with its client id. Undefined where the sender is not a member. */
export async function postMessage(db: OrgDb, row: NewMessageRow): Promise<PostedRow | undefined> {
  const privilege = row.privilegedStatus && JSON.stringify(row.privilegedStatus)
  const { rows } = await sql<
    Omit<StoredMessage, 'sequence'> & {
      sequence: number | null
      author: NamedPerson
      is_direct: boolean
      is_repeated: boolean
    }
  >`
    select (p.posted).*, p.author, p.is_direct, p.is_repeated from post_message(
      ${row.roomId}, ${row.userId}, ${row.clientId}, ${row.html}, ${row.plain}, ${row.words}::text[], ${row.emails}::text[],
      ${row.replyTo}, ${row.fileIds}::uuid[], ${privilege}::jsonb, ${row.at}, ${row.threadId ?? null},
      ${row.isAlsoInRoom ?? false}) p`.execute(db)
  const [posted] = rows
  if (!posted) return undefined
  const { is_direct: isDirect, is_repeated: isRepeated, reply_to: replyTo } = posted
  // Most messages have no reply or files, so their rows need no further query.
  const isPlain = !isRepeated && replyTo === null && posted.file_ids.length === 0
  const shown = isPlain
    ? {
        ...posted,
        sequence: posted.sequence ?? 0,
        files: [],
        reactions: [],
        quote: null,
        activities: [],
        answers: null,
      }
    : (await findMessage(db, posted.id))!
  return { row: shown, isDirect, isRepeated, replyTo }
}

export async function findMessage(db: OrgDb, id: string): Promise<MessageRow | undefined> {
  const { rows } = await sql<MessageRow>`select ${SHOWN} from room_messages m where m.id = ${id}`.execute(db)
  return rows[0]
}

/** Messages in the order of the given ids. */
export async function listMessagesById(db: OrgDb, ids: readonly string[]): Promise<MessageRow[]> {
  const { rows } =
    await sql<MessageRow>`select ${SHOWN} from room_messages m where m.id = any(${ids}::uuid[])`.execute(db)
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** Messages of a room beyond a sequence, nearest first. */
export async function listBeyond(
  db: OrgDb,
  roomId: string,
  { from, isOlder, limit }: { from: number; isOlder: boolean; limit: number },
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`select ${SHOWN} from room_messages m where m.room_id = ${roomId}
    and ${isOlder ? sql`m.sequence < ${from}` : sql`m.sequence > ${from}`}
    order by m.sequence ${sql.raw(isOlder ? 'desc' : 'asc')} limit ${limit}`.execute(db)
  return rows
}

export async function listPinned(db: OrgDb, roomId: string, limit: number): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`select ${SHOWN} from room_messages m
    where m.room_id = ${roomId} and m.pinned_timestamp is not null
    order by m.pinned_timestamp desc, m.id limit ${limit}`.execute(db)
  return rows
}

/** Gives a changed message the next sequence, so that members receive it. */
async function changed(db: OrgDb, id: string, set: RawBuilder<unknown>): Promise<void> {
  const sequence = await nextSequence(db)
  await sql`with one as (
      update room_messages set ${set}, change_sequence = ${sequence} where id = ${id} returning room_id)
    update rooms set message_change_sequence = ${sequence} where id = (select room_id from one)`.execute(db)
}

const vectorOf = (words: readonly string[]) => sql`array_to_tsvector(
  ${words}::text[] || (':' || organisation_id))`

export const updateText = (
  db: OrgDb,
  id: string,
  {
    html,
    plain,
    words,
    emails,
    fileIds,
    at,
  }: Pick<NewMessageRow, 'html' | 'plain' | 'words' | 'emails' | 'fileIds' | 'at'>,
): Promise<void> =>
  changed(
    db,
    id,
    sql`html = ${html}, plain = ${plain}, words = ${vectorOf(words)}, file_ids = ${fileIds}::uuid[],
      mentioned = array(
        select m.user_id from room_members m join users u on u.id = m.user_id
         where m.room_id = room_messages.room_id and not m.has_left and u.active and u.id <> room_messages.user_id
           and u.email = any(${emails}::text[])),
      update_timestamp = ${at}, edited_timestamp = ${at}`,
  )

/** Deletes the contents of a message. Its row stays, so that the sequence has no gap. */
export async function emptyMessage(db: OrgDb, id: string, at: string): Promise<void> {
  await db.deleteFrom('room_reactions').where('message_id', '=', id).execute()
  await changed(
    db,
    id,
    sql`html = '', plain = '', words = ${vectorOf([])}, file_ids = '{}', mentioned = '{}',
      audiences = '{}', reply_to = null, pinned_by = null,
      pinned_timestamp = null, update_timestamp = ${at}, deleted_timestamp = ${at}`,
  )
}

/** Notes a change of fields beside a message. */
export const touchMessage = (db: OrgDb, id: string, at: string): Promise<void> =>
  changed(db, id, sql`update_timestamp = ${at}`)

/** Turns a newly posted message into that of a call. */
export async function markCall(db: OrgDb, id: string, call: MessageCall): Promise<void> {
  await sql`update room_messages set is_call = true, call = ${JSON.stringify(call)}::jsonb where id = ${id}`.execute(
    db,
  )
}
/** Sets the end of a message's call; null while it is active. */
export const updateCallBanner = (
  db: OrgDb,
  id: string,
  end: { readonly endedAt: string | null; readonly isMissed: boolean },
  at: string,
): Promise<void> =>
  changed(db, id, sql`call = call || ${JSON.stringify(end)}::jsonb, update_timestamp = ${at}`)

/** Pins or unpins a message. */
export const updatePin = (db: OrgDb, id: string, by: string | null, at: string): Promise<void> =>
  changed(
    db,
    id,
    sql`pinned_by = ${by}, pinned_timestamp = ${by === null ? null : at}, update_timestamp = ${at}`,
  )

/** Adds or removes an emoji. Returns whether that changed anything. */
export async function updateReaction(
  db: OrgDb,
  message: { readonly id: string; readonly room_id: string },
  { userId, emoji, isAdded, at }: { userId: string; emoji: string; isAdded: boolean; at: string },
): Promise<boolean> {
  const { numAffectedRows } = isAdded
    ? await sql`insert into room_reactions (message_id, room_id, user_id, emoji, create_timestamp)
        values (${message.id}, ${message.room_id}, ${userId}, ${emoji}, ${at}) on conflict do nothing`.execute(
        db,
      )
    : await sql`delete from room_reactions
        where message_id = ${message.id} and user_id = ${userId} and emoji = ${emoji}`.execute(db)
  if (!numAffectedRows) return false
  await changed(db, message.id, sql`update_timestamp = ${at}`)
  return true
}

export async function countEmoji(db: OrgDb, messageId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct emoji) as n from room_reactions where message_id = ${messageId}`.execute(db)
  return rows[0]!.n
}

/** Members except the sender who have read a message, by name, up to a limit. */
export async function listReaders(db: OrgDb, message: MessageRow, limit: number) {
  const { rows } = await sql<{ person: NamedPerson; total: number }>`
    select ${PERSON} as person, count(*) over () as total
      from room_members m join users u on u.id = m.user_id
     where m.room_id = ${message.room_id} and not m.has_left and m.user_id <> ${message.user_id}
       and m.read_sequence >= ${message.sequence}
     order by u.given_key, u.id limit ${limit}`.execute(db)
  return { people: rows.map(({ person }) => person), total: rows[0]?.total ?? 0 }
}

/** Names of the members of a room with these addresses. */
export async function listMemberNames(
  db: OrgDb,
  roomId: string,
  emails: readonly string[],
): Promise<string[]> {
  if (emails.length === 0) return []
  const { rows } = await sql<{ name: string }>`
    select concat_ws(' ', u.first_name, u.last_name) as name from room_members m join users u on u.id = m.user_id
     where m.room_id = ${roomId} and not m.has_left and u.email = any(${emails}::text[])`.execute(db)
  return rows.map(({ name }) => name)
}

export async function listPeople(db: OrgDb, ids: readonly string[]): Promise<NamedPerson[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ person: NamedPerson }>`
    select ${PERSON} as person from users u where u.id = any(${ids}::uuid[])`.execute(db)
  return rows.map(({ person }) => person)
}

/** Deletes all messages of a room. */
export async function deleteMessages(db: OrgDb, roomId: string): Promise<void> {
  await db.deleteFrom('room_threads').where('room_id', '=', roomId).execute()
  await db.deleteFrom('room_messages').where('room_id', '=', roomId).execute()
}

/** Ids of messages in a member's rooms that mention the member, newest first, after the one of the cursor. */
export async function listMentioning(
  db: OrgDb,
  userId: string,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<string[]> {
  const mine = ownPage(sql`room_mentions`, userId, { cursor, limit })
  const { rows } = await sql<{ id: string }>`select x.message_id as id from ${mine}`.execute(db)
  return rows.map(({ id }) => id)
}

interface Search {
  readonly words: readonly string[]
  /** Phrases that the text contains, regardless of case and accents. */
  readonly phrases: readonly string[]
  readonly roomId: string | null
  readonly userId: string | null
  readonly from: string | null
  readonly to: string | null
  readonly cursor: string | null
  readonly limit: number
}
/** Ids of a member's messages with every word or its prefix, newest first. */
export async function searchMessages(db: OrgDb, member: string, search: Search): Promise<string[]> {
  const { words, phrases, roomId, userId, from, to, cursor, limit } = search
  const query = prefixQuery(words)
  const patterns = phrases.map((phrase) => sql`'%' || ${patternOf(phrase)} || '%'`)
  const { rows } = await sql<{ id: string }>`
    select found.id from visibility.search_messages(
      ${member}, ${query}::tsquery, array[${sql.join(patterns)}]::text[], ${roomId}, ${userId}, ${from}, ${to},
      (select create_timestamp from room_messages where id = ${cursor}), ${cursor}, ${limit}) as found (id)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
