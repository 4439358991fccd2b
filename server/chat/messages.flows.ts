import type { MessageCall } from '#contract/calls/schema.ts'
import type { chatApi } from '#contract/chat/api.ts'
import { isAtLimit, mentionedEmails, messageCan, roomCan } from '#contract/chat/rules.ts'
import {
  ARCHIVED_CHAT,
  type ChangePage,
  type FoundMessages,
  MARKED_NOT_PRIVILEGED,
  MARKED_PRIVILEGED,
  type Message,
  MESSAGE_REQUIRED,
  MESSAGE_TOO_LONG,
  type MessageChanges,
  type MessagePage,
  MESSAGES_MAX,
  type NamedMessage,
  type NewMessage,
  type Room,
} from '#contract/chat/schema.ts'
import type { Input } from '#contract/kit/endpoint.ts'
import { wholeName } from '#contract/kit/files.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { ChatPublisher } from '#server/kit/live/feed.ts'
import { phrasesIn, searchWords } from '#server/kit/database/search.ts'
import { demand, notFound, wrongField } from '#server/kit/core/refusal.ts'
import { plainText, sanitise } from '#server/kit/core/rich-text.ts'
import type { Services } from '#server/kit/services.ts'
import { deleteMentions } from '#server/notifications/store.ts'

import { mention } from './audiences.flows.ts'
import { messageChange, readChanges } from './changes.store.ts'
import { deleteFiles, listFileNames } from './files.store.ts'
import {
  countEmoji,
  emptyMessage,
  findMessage,
  listBeyond,
  listMentioning,
  listMessagesById,
  listMemberNames,
  listPeople,
  listPinned,
  listReaders,
  markCall,
  type MessageRow,
  postMessage,
  searchMessages,
  toMessage,
  touchMessage,
  updatePin,
  updateReaction,
  updateText,
} from './messages.store.ts'
import { findHead, lockChat } from './heads.store.ts'
import { findRoom, updateRoom } from './rooms.store.ts'
import { hasCompany } from './members.store.ts'
import { updateAudiences } from './mentions.store.ts'
import { enterMentioned, findThread, listAwaiting, recountThread, threadChange } from './threads.store.ts'
import { deleteSavedOf, listSavedAmong } from './saved.store.ts'
import { type Acting, administersChat, demandRule, meIn, openedRoom, recordRoom } from './rooms.flows.ts'

const MESSAGE = 'This message'
const UNKNOWN_FILE = 'This file does not exist.'
/** Limits of different emoji under one message, and of names in a list of readers. */
const EMOJI_MAX = 20
const READERS_MAX = 100

/** A message text as stored: sanitised, with its search words. */
export function written(html: string) {
  const safe = sanitise(html)
  const plain = plainText(safe)
  if (isAtLimit(plain)) throw wrongField('text', MESSAGE_TOO_LONG)
  return { html: plain === '' ? '' : safe, plain, emails: mentionedEmails(plain), words: searchWords(plain) }
}

/** Search words of a message: those of its text, of its files' names and of mentioned people by name. */
async function wordsOf(
  db: OrgDb,
  roomId: string,
  { words, emails }: Pick<ReturnType<typeof written>, 'words' | 'emails'>,
  fileNames: readonly string[],
): Promise<string[]> {
  const names = await listMemberNames(db, roomId, emails)
  return [...new Set([...words, ...[...fileNames, ...names].flatMap(searchWords)])]
}

/** People in messages: authors, mentioned and quoted people, and those who reacted, pinned or answered; and others. */
export async function namedIn(
  db: OrgDb,
  rows: readonly MessageRow[],
  others: readonly string[] = [],
): Promise<NamedPerson[]> {
  const known = new Map(rows.map(({ author }) => [author.uuid, author]))
  const named = rows.flatMap((row) => [
    ...row.mentioned,
    ...row.reactions.flatMap(({ userIds }) => userIds),
    ...[row.quote?.user ?? [], row.pinned_by ?? [], row.answers?.users ?? []].flat(),
  ])
  const missing = [...new Set([...named, ...others])].filter((id) => !known.has(id))
  return [...known.values(), ...(await listPeople(db, missing))]
}

const NO_THREAD = 'This thread does not exist.'
/**
 * Refuses answers to what is no first message of the room, and to a deleted one without answers.
 * @throws Refusal 400 at the field
 */
export async function demandThread(db: OrgDb, roomId: string, threadId: string): Promise<void> {
  const thread = await findThread(db, threadId)
  if (thread) {
    if (thread.room_id !== roomId) throw wrongField('threadId', NO_THREAD)
    return
  }
  const first = await findMessage(db, threadId)
  if (!first || first.room_id !== roomId) throw wrongField('threadId', NO_THREAD)
  if (first.thread_id !== null) throw wrongField('threadId', 'This message is an answer in a thread.')
  demand(first.deleted_timestamp === null, 409, 'This message was deleted.')
}

/** Sends a message once per client id. Committed before it is acknowledged. */
export async function sendMessage(
  chat: ChatPublisher,
  db: OrgDb,
  by: Acting,
  roomId: string,
  given: NewMessage,
): Promise<Message> {
  const text = written(given.text)
  demand(text.plain !== '' || given.fileIds.length > 0, 400, MESSAGE_REQUIRED)
  const { clientId, fileIds, replyTo, threadId, isAlsoInRoom } = given
  const names = fileIds.length === 0 ? [] : await listFileNames(db, fileIds)
  if (threadId !== undefined) {
    await openedRoom(db, by, roomId, 'change')
    await demandThread(db, roomId, threadId)
  }
  const posted = await postMessage(db, {
    ...text,
    roomId,
    userId: by.id,
    clientId,
    words: await wordsOf(db, roomId, text, names),
    fileIds,
    replyTo,
    threadId,
    isAlsoInRoom,
    privilegedStatus: null,
    at: clock.timestamp(),
  })
  if (!posted) throw notFound('This room')
  const { row } = posted
  if (posted.isRepeated) return toMessage(row)
  if (row.file_ids.length !== new Set(fileIds).size) throw wrongField('fileIds', UNKNOWN_FILE)
  if ((posted.replyTo === null) !== (replyTo === null))
    throw wrongField('replyTo', `${MESSAGE} does not exist.`)
  if (posted.isDirect) demand(await hasCompany(db, roomId, by.id), 409, ARCHIVED_CHAT)
  const shown = { ...row, audiences: [...(await mention(chat, db, by, row))] }
  await publish(chat, db, shown)
  if (threadId !== undefined) await publishAnswer(chat, db, shown)
  return toMessage(shown)
}

/** Publishes the thread of a new answer, and makes it unread where only the thread shows the answer. */
async function publishAnswer(chat: ChatPublisher, db: OrgDb, row: MessageRow): Promise<void> {
  const { id, room_id: roomId, thread_id: threadId, sequence, user_id: author } = row
  await enterMentioned(db, id)
  await publishThread(chat, db, threadId!)
  chat.thread(db, { roomId, threadId: threadId!, userIds: [author], isUnread: false })
  if (sequence === 0)
    chat.thread(db, { roomId, threadId: threadId!, userIds: await listAwaiting(db, id), isUnread: true })
}
async function publishThread(chat: ChatPublisher, db: OrgDb, threadId: string): Promise<void> {
  const thread = await findThread(db, threadId)
  if (thread) chat.changed(db, await threadChange(db, thread))
}

/** Text of a call's message where its banner is not shown. */
const CALL_STARTED = '<p>Call started</p>'
/**
 * Posts the message of a call. Returns its id.
 * @throws Refusal 409 for a direct message without other members
 */
export async function postCall(
  chat: ChatPublisher,
  db: OrgDb,
  by: Pick<Acting, 'id'>,
  roomId: string,
  call: MessageCall,
): Promise<string> {
  const posted = await postMessage(db, {
    ...written(CALL_STARTED),
    roomId,
    userId: by.id,
    clientId: call.id,
    fileIds: [],
    replyTo: null,
    privilegedStatus: null,
    at: call.startedAt,
  })
  if (!posted) throw notFound('This room')
  if (posted.isDirect) demand(await hasCompany(db, roomId, by.id), 409, ARCHIVED_CHAT)
  const { id } = posted.row
  await markCall(db, id, call)
  await told(chat, db, id)
  return id
}

/** Publishes the newest state of a message. */
async function publish(chat: ChatPublisher, db: OrgDb, row: MessageRow): Promise<void> {
  chat.changed(db, messageChange(row, await listPeople(db, row.mentioned)), row.is_partial)
}

/** A message in a room of the caller. */
export async function openedMessage(
  db: OrgDb,
  by: Pick<Acting, 'id'>,
  id: string,
  hold?: 'change',
): Promise<{ row: MessageRow; room: Room }> {
  if (hold) await lockChat(db)
  const row = await findMessage(db, id)
  const room = row && (await findRoom(db, by.id, row.room_id))
  if (!row || !room) throw notFound(MESSAGE)
  return { row, room }
}

/** Publishes a changed message to the members and returns it. */
async function told(chat: ChatPublisher, db: OrgDb, id: string): Promise<Message> {
  const row = (await findMessage(db, id))!
  await publish(chat, db, row)
  return toMessage(row)
}

/** Publishes changes of fields beside a message to the members of its room. */
export async function refreshMessage(chat: ChatPublisher, db: OrgDb, id: string): Promise<Message> {
  await lockChat(db)
  await touchMessage(db, id, clock.timestamp())
  return told(chat, db, id)
}

export async function editMessage(
  { chat, blobs }: Services,
  db: OrgDb,
  by: Acting,
  id: string,
  given: MessageChanges,
): Promise<Message> {
  const { row } = await openedMessage(db, by, id, 'change')
  const window = { now: clock.now(), minutes: by.config.messageHistoryEditTimeout }
  const message = toMessage(row)
  demand(messageCan.remove(message, by.id), 403, 'Only your own messages can be edited.')
  demand(messageCan.edit(message, by.id, window), 409, 'This message can no longer be edited.')
  const text = written(given.text)
  const kept = row.file_ids.filter((one) => given.fileIds?.includes(one) ?? true)
  demand(text.plain !== '' || kept.length > 0, 400, MESSAGE_REQUIRED)
  demand(given.fileIds?.every((one) => kept.includes(one)) ?? true, 400, UNKNOWN_FILE)
  const names = row.files.filter((file) => kept.includes(file.id)).map(wholeName)
  const words = await wordsOf(db, row.room_id, text, names)
  await updateText(db, id, { ...text, words, fileIds: kept, at: clock.timestamp() })
  await deleteFiles(
    db,
    blobs,
    row.file_ids.filter((one) => !kept.includes(one)),
  )
  await mention(chat, db, by, (await findMessage(db, id))!)
  if (row.thread_id !== null) {
    const userIds = await enterMentioned(db, id)
    if (row.sequence === 0)
      chat.thread(db, { roomId: row.room_id, threadId: row.thread_id, userIds, isUnread: true })
  }
  return told(chat, db, id)
}

/** Deletes text and files of the caller's own message. The audit log records the deletion, not the text. */
export async function removeMessage(
  { chat, blobs }: Services,
  db: OrgDb,
  by: Acting,
  id: string,
): Promise<void> {
  const { row, room } = await openedMessage(db, by, id, 'change')
  if (row.deleted_timestamp !== null && row.user_id === by.id) return
  demand(messageCan.remove(toMessage(row), by.id), 403, 'Only your own messages can be deleted.')
  await deleteFiles(db, blobs, row.file_ids)
  await emptyMessage(db, id, clock.timestamp())
  await deleteMentions(db, { messageId: id })
  await updateAudiences(db, id, { kept: [], audiences: [] })
  await deleteSavedOf(db, id)
  recordRoom(db, room.id, 'message deleted', { message: { from: row.id, to: null } })
  await told(chat, db, id)
  if (row.thread_id === null) return
  await recountThread(db, row.thread_id)
  await publishThread(chat, db, row.thread_id)
}

export async function react(
  chat: ChatPublisher,
  db: OrgDb,
  by: Acting,
  { id, emoji }: { id: string; emoji: string },
  isAdded: boolean,
): Promise<Message> {
  const { row } = await openedMessage(db, by, id, 'change')
  demand(messageCan.react(toMessage(row)), 409, 'This message was deleted.')
  const changed = await updateReaction(db, row, { userId: by.id, emoji, isAdded, at: clock.timestamp() })
  if (!changed) return toMessage(row)
  demand(
    (await countEmoji(db, id)) <= EMOJI_MAX,
    409,
    `A message can have at most ${EMOJI_MAX} different emoji.`,
  )
  return told(chat, db, id)
}

export async function pin(
  chat: ChatPublisher,
  db: OrgDb,
  by: Acting,
  id: string,
  isPinned: boolean,
): Promise<Message> {
  const { row, room } = await openedMessage(db, by, id, 'change')
  demand(
    roomCan.pin(room, meIn(room, by), administersChat(by)),
    403,
    'Only the owner and admins of this chat can pin messages.',
  )
  demand(row.deleted_timestamp === null, 409, 'This message was deleted.')
  demand(row.sequence > 0, 409, 'Answers that only their thread shows cannot be pinned.')
  if ((row.pinned_by !== null) === isPinned) return toMessage(row)
  await updatePin(db, id, isPinned ? by.id : null, clock.timestamp())
  return told(chat, db, id)
}

/** Sets or removes the privileged mark of a war room, and posts a message about it. */
export async function markPrivileged(
  chat: ChatPublisher,
  db: OrgDb,
  by: Acting,
  id: string,
  isPrivileged: boolean,
): Promise<Room> {
  const room = await openedRoom(db, by, id, 'change')
  demand(room.kind === 'WAR_ROOM', 409, 'Only war rooms can be marked as privileged.')
  demandRule(room, roomCan.markPrivileged(room, meIn(room, by), by.config))
  if (room.privileged === isPrivileged) return room
  const at = clock.timestamp()
  const status = { uuid: by.id, timestamp: at }
  await updateRoom(
    db,
    id,
    { is_privileged: isPrivileged, privileged_by: by.id, privileged_timestamp: at },
    at,
  )
  const text = isPrivileged ? MARKED_PRIVILEGED : MARKED_NOT_PRIVILEGED
  const posted = await postMessage(db, {
    ...written(`<p>${text}</p>`),
    roomId: id,
    userId: by.id,
    clientId: crypto.randomUUID(),
    fileIds: [],
    replyTo: null,
    privilegedStatus: status,
    at,
  })
  await publish(chat, db, posted!.row)
  const changes = { privileged: { from: !isPrivileged, to: isPrivileged } }
  recordRoom(db, id, isPrivileged ? 'marked as privileged' : 'marked as not privileged', changes)
  return openedRoom(db, by, id)
}

type PageQuery = Input<(typeof chatApi)['messages']>['query']
/** A page of a room: the newest messages, or those before, after or around one. */
export async function readMessages(
  db: OrgDb,
  by: Acting,
  roomId: string,
  { before, after, around, limit }: PageQuery,
): Promise<MessagePage> {
  const room = await openedRoom(db, by, roomId)
  const older = (from: number, most: number) => listBeyond(db, roomId, { from, isOlder: true, limit: most })
  const newer = (from: number, most: number) => listBeyond(db, roomId, { from, isOlder: false, limit: most })
  let rows: MessageRow[]
  if (around !== undefined) {
    const half = Math.floor(limit / 2)
    rows = [...(await older(around, half)).toReversed(), ...(await newer(around - 1, limit - half))]
  } else if (after !== undefined) rows = await newer(after, limit)
  else rows = (await older(before ?? room.sequence + 1, limit)).toReversed()
  const saved = await listSavedAmong(
    db,
    by.id,
    rows.map(({ id }) => id),
  )
  return {
    ...(saved.length > 0 && { saved }),
    messages: rows.map(toMessage),
    people: await namedIn(db, rows),
    hasOlder: rows.length > 0 && rows[0]!.sequence > 1 && rows[0]!.sequence > (await firstOf(db, roomId)),
    hasNewer: (rows.at(-1)?.sequence ?? room.sequence) < room.sequence,
  }
}
/** The first remaining message of a room: retention deletes from the beginning. */
const firstOf = async (db: OrgDb, roomId: string): Promise<number> =>
  (await listBeyond(db, roomId, { from: 0, isOlder: false, limit: 1 }))[0]?.sequence ?? 1

export async function readMessage(db: OrgDb, by: Acting, id: string): Promise<NamedMessage> {
  const { row } = await openedMessage(db, by, id)
  return { message: toMessage(row), people: await namedIn(db, [row]) }
}

export async function pinnedMessages(db: OrgDb, by: Acting, roomId: string): Promise<MessagePage> {
  await openedRoom(db, by, roomId)
  const rows = await listPinned(db, roomId, MESSAGES_MAX)
  return { messages: rows.map(toMessage), people: await namedIn(db, rows), hasOlder: false, hasNewer: false }
}

export async function readersOf(db: OrgDb, by: Acting, id: string) {
  const { row } = await openedMessage(db, by, id)
  return listReaders(db, row, READERS_MAX)
}

/** Messages in the caller's rooms that mention the caller. */
export async function mentionsOf(
  db: OrgDb,
  by: Pick<Acting, 'id'>,
  { cursor = null, limit }: { cursor?: string | null | undefined; limit: number },
): Promise<FoundMessages> {
  const ids = await listMentioning(db, by.id, { cursor, limit: limit + 1 })
  return foundPage(db, ids, limit)
}
/** A page of found messages; one id beyond the limit promises another page. */
export async function foundPage(
  db: OrgDb,
  ids: readonly string[],
  limit: number,
  others: readonly string[] = [],
): Promise<FoundMessages> {
  const rows = await listMessagesById(db, ids.slice(0, limit))
  return {
    messages: rows.map(toMessage),
    people: await namedIn(db, rows, others),
    next: ids.length > limit ? rows.at(-1)!.id : null,
  }
}

type SearchQuery = Input<(typeof chatApi)['search']>['query']
/** Finds messages in the caller's rooms. A search without words finds nothing. */
export async function search(db: OrgDb, by: Acting, query: SearchQuery) {
  const words = searchWords(query.q)
  const phrases = phrasesIn(query.q)
  if (query.roomId !== undefined) await openedRoom(db, by, query.roomId)
  if (words.length === 0) return { messages: [], people: [], next: null }
  const { roomId = null, userId = null, from = null, to = null, cursor = null, limit } = query
  const wanted = { words, phrases, roomId, userId, from, to, cursor, limit: limit + 1 }
  const ids = await searchMessages(db, by.id, wanted)
  return foundPage(db, ids, limit)
}

/** A page of changes in the caller's rooms. */
export async function readMissed(
  db: OrgDb,
  by: Acting,
  { after, limit }: { after: number; limit: number },
): Promise<ChangePage> {
  const upTo = await findHead(db)
  if (after >= upTo) return { changes: [], sequence: upTo, hasMore: false }
  const { changes, sequence } = await readChanges(db, { member: by.id }, { after, upTo, limit })
  return { changes, sequence, hasMore: sequence < upTo }
}
