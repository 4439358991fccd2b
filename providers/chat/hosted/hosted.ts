import { normalisedEmail } from '#contract/kit/text.ts'
import { chatApi } from '#contract/chat/api.ts'
import { mentionedEmails } from '#contract/chat/rules.ts'
import {
  type Message,
  type MessageAttachment,
  type MessageChanges,
  type MessagePage,
  MESSAGES_MAX,
  MESSAGES_PER_PAGE,
  type NamedMessage,
  type NewMessage,
  type NewRoom,
  type Room,
  type RoomChanges,
  type RoomKind,
  type RoomMember,
  type RoomRole,
} from '#contract/chat/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'

import { call, type DownloadedFile } from '../../api.ts'
import { requestPeople } from '../../people.ts'
import { HttpProblem, NO_ANSWER } from '../../problem.ts'
import { getSession } from '../../session.ts'
import { embedded } from '../embedded.ts'
import { lineOf } from '../plainText.ts'
import type {
  ChatNews,
  ChatProvider,
  FoundMessages,
  MessageRange,
  MessageSearch,
  Part,
  RoomFile,
  Slice,
} from '../provider.ts'
import { inOrder } from '../rooms.ts'
import { MentionReports } from './mentions.ts'
import { changedMessage, newsOf } from './news.ts'
import { microsecondsOf, RoomNumbers } from './numbers.ts'
import {
  attachmentOf,
  fileOfId,
  lacksReactions,
  messageOf,
  peopleIn,
  roomOf,
  typeOfEmoji,
  wireAttachmentOf,
} from './records.ts'
import { HostedService } from './service.ts'
import {
  roomIdOf,
  type WireEvent,
  type WireMessage,
  type WireReaction,
  type WireRead,
  type WireState,
  type WireUser,
} from './wire.ts'

/** Maximum channels per response of the service. */
const CHANNELS_AT_ONCE = 30
const REACTIONS_MAX = 300
const READERS_MAX = 100
/** Members loaded with a room: those in the title of a direct message, and more for its read marks. */
const MEMBERS_WITH_ROOM = 30
/** Pages of messages searched for a room's files. */
const FILES_PAGES = 10
/** Pauses between attempts to load a new room, which takes time to reach the service. */
const WAITS_MS = [100, 200, 400, 800, 1_500, 3_000]

/** Longest delay of a message by the lookup of mentioned people on our server. */
const IDS_WAIT_MS = 3_000

const NOT_HERE = "Your organization's chat service cannot do this."
const NO_ROOM = 'This room does not exist.'
const notFound = () => new HttpProblem(NO_ROOM, 404)
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const escaped = encodeURIComponent

type Filter = Readonly<Record<string, unknown>>
type RoomQuery = { kind?: RoomKind; q?: string; isUnread?: boolean } & Part

/** The service's filter for a list of rooms; `q` matches names, and people of direct messages. */
function filterOf(me: string, { kind, q, isUnread }: Omit<RoomQuery, keyof Part>): Filter {
  const named = q === undefined || q.trim() === '' ? undefined : { $autocomplete: q.trim() }
  const direct = { type: 'messaging', ...(named && { 'member.user.name': named }) }
  const team = { type: 'team', ...(named && { name: named }) }
  return {
    members: { $in: [me] },
    ...(isUnread && { has_unread: true }),
    ...(kind === 'DIRECT_MESSAGE'
      ? direct
      : kind === undefined
        ? named && { $or: [team, direct] }
        : { ...team, isWarRoom: kind === 'WAR_ROOM', isHeadquarters: false }),
  }
}

/** Rooms and messages at an organisation's hosted chat service. */
export class HostedChat implements Omit<ChatProvider, 'subscribe' | 'lacks'> {
  readonly #me = getSession().uuid ?? ''
  readonly #tell: (news: ChatNews) => void
  readonly #rooms = new Map<string, Room>()
  readonly #paths = new Map<string, string>()
  readonly #idsByEmail = new Map<string, string>()
  #numbers = new Map<string, RoomNumbers>()
  #sequence = 0
  #service!: HostedService
  #mentions!: MentionReports

  private constructor(tell: (news: ChatNews) => void) {
    this.#tell = tell
  }
  /** Connects as the signed-in person and reports changes to `tell`. @throws HttpProblem for a refusal */
  static async open(tell: (news: ChatNews) => void): Promise<HostedChat> {
    const chat = new HostedChat(tell)
    chat.#service = await HostedService.open()
    chat.#service.listen((event) => void chat.#hear(event))
    chat.#mentions = new MentionReports(chat.#me)
    return chat
  }
  close = (): void => {
    this.#mentions.close()
    this.#service.close()
  }

  // News.

  async #hear(event: WireEvent): Promise<void> {
    if (event.type === 'connection.recovered') {
      // Messages sent during the gap have no numbers between those before and after it.
      this.#numbers = new Map()
      return this.#tell({ type: 'chat-gap' })
    }
    const around = {
      me: this.#me,
      numbersOf: (roomId: string) => this.#numbersOf(roomId),
      known: (roomId: string) => this.#rooms.get(roomId),
    }
    this.#learnFrom(event)
    const news = newsOf(event, around, () => ++this.#sequence)
    if (!news) return
    this.#tell(news)
    if (news.type === 'chat' && event.message && lacksReactions(event.message))
      await this.#complete([event.message])
        .then(([message]) => this.#tellOf(message!, news.roomId))
        .catch(() => undefined)
  }
  #tellOf(message: WireMessage, roomId: string): Message {
    const change = changedMessage(message, roomId, this.#numbersOf(roomId))
    this.#tell({ ...change, type: 'chat', sequence: ++this.#sequence, roomId })
    return change.message
  }
  /** Updates the cached rooms from an event. */
  #learnFrom({ type, cid, message, channel }: WireEvent): void {
    const id = cid && roomIdOf(cid)
    const room = id ? this.#rooms.get(id) : undefined
    if (message) this.#learn(peopleIn([message]))
    if (message && id) {
      this.#learnMentions([message], id)
      // The edit may have added a mention to a message already read.
      if (type === 'message.updated') this.#reportedAt.delete(id)
    }
    if (!id || !room) return
    if (message && type.endsWith('new') && message.created_at > (room.last_message_at ?? ''))
      this.#rooms.set(id, {
        ...room,
        sequence: this.#numbersOf(id).arrived(message),
        last_message_at: message.created_at,
      })
    else if (channel) this.#rooms.set(id, { ...room, privileged: channel.privileged ?? room.privileged })
  }
  #learn(people: readonly NamedPerson[]): void {
    for (const { uuid, email } of people) this.#idsByEmail.set(normalisedEmail(email), uuid)
  }
  /** Time of the last message that mentions the reader, and read mark last reported to our server, by room. */
  readonly #mentionedAt = new Map<string, number>()
  readonly #reportedAt = new Map<string, number>()
  #learnMentions(messages: readonly WireMessage[], roomId: string): void {
    for (const { mentioned_users = [], created_at } of messages)
      if (mentioned_users.some(({ id }) => id === this.#me))
        this.#mentionedAt.set(roomId, Math.max(Date.parse(created_at), this.#mentionedAt.get(roomId) ?? 0))
  }
  /**
   * Marks notifications about a room as read on our server: once per page, and after messages that mention
   * the reader. A failure is retried with the next message read.
   */
  async #reportRead(id: string, sequence: number): Promise<void> {
    const reported = this.#reportedAt.get(id)
    const time = this.#numbersOf(id).timeAt(sequence)
    if (time === undefined || (reported !== undefined && reported >= (this.#mentionedAt.get(id) ?? 0))) return
    this.#reportedAt.set(id, Math.max(time, reported ?? 0))
    try {
      const until = new Date(time).toISOString()
      await call(chatApi.readHostedMentions, { params: { id }, body: { until } })
    } catch {
      this.#reportedAt.delete(id)
    }
  }
  #numbersOf(roomId: string): RoomNumbers {
    const numbers = this.#numbers.get(roomId) ?? new RoomNumbers()
    this.#numbers.set(roomId, numbers)
    return numbers
  }

  // Rooms: read from the service, changed by our server, which writes them to the service.

  summary = async () => {
    const { total_unread_count } = await this.#service.get<{ total_unread_count: number }>('/unread')
    return { sequence: this.#sequence, unreadMessages: total_unread_count }
  }
  /** The service's socket reports gaps; otherwise no change is missed. */
  changes = async (after: number) => ({ changes: [], sequence: after, isComplete: true })

  async #query(filter: Filter, { first, count, signal }: Part): Promise<Room[]> {
    const rooms: Room[] = []
    while (rooms.length < count) {
      const limit = Math.min(CHANNELS_AT_ONCE, count - rooms.length)
      // oxlint-disable-next-line no-await-in-loop -- pages of one list
      const { channels } = await this.#service.post<{ channels: WireState[] }>(
        '/channels',
        {
          filter_conditions: filter,
          sort: [{ field: 'last_message_at', direction: -1 }],
          state: true,
          watch: true,
          presence: false,
          limit,
          offset: first + rooms.length,
          message_limit: 1,
          member_limit: MEMBERS_WITH_ROOM,
        },
        signal,
      )
      rooms.push(...channels.map((state) => this.#take(state)))
      if (channels.length < limit) break
    }
    return rooms
  }
  #take(state: WireState): Room {
    const { id, type } = state.channel
    const room = roomOf(state, this.#me, this.#numbersOf(id))
    this.#rooms.set(id, room)
    this.#paths.set(id, `/channels/${type}/${id}`)
    this.#learn(room.people)
    return room
  }
  #isInHeadquarters: boolean | undefined
  rooms = async (query: RoomQuery): Promise<Slice<Room>> => {
    const { first, count, signal, ...wanted } = query
    // Headquarters precedes all other war rooms, regardless of its last message.
    const hasHeadquarters = wanted.kind === 'WAR_ROOM' && !wanted.q && !wanted.isUnread
    const top = { type: 'team', isHeadquarters: true, members: { $in: [this.#me] } }
    const headquarters =
      hasHeadquarters && first === 0 ? await this.#query(top, { first: 0, count: 1, signal }) : []
    if (hasHeadquarters && first === 0) this.#isInHeadquarters = headquarters.length > 0
    const before = hasHeadquarters && this.#isInHeadquarters ? 1 : 0
    const part = {
      first: Math.max(0, first - before),
      count: count - headquarters.length,
      signal,
    }
    const found = await this.#query(filterOf(this.#me, wanted), part)
    const items = [...headquarters, ...found].toSorted(inOrder)
    // The service does not count, so a full page promises one more.
    return { items, total: first + items.length + (found.length === part.count ? 1 : 0) }
  }
  room = async (id: string): Promise<Room> => {
    const filter = { id: { $in: [id] }, members: { $in: [this.#me] } }
    const [room] = await this.#query(filter, { first: 0, count: 1 })
    if (!room) throw notFound()
    return room
  }
  /** The path of a room at the service. @throws HttpProblem 404 if the caller is not a member */
  async #pathOf(id: string): Promise<string> {
    if (!this.#paths.has(id)) await this.room(id)
    return this.#paths.get(id)!
  }
  /** Adds the service's own fields to a room of our server. */
  #merged(room: Room): Room {
    const known = this.#rooms.get(room.id)
    if (!known) return { ...room, sequence: 0, last_message_at: null, othersReadSequence: 0 }
    const { sequence, last_message_at, othersReadSequence, membership } = known
    const merged = {
      ...room,
      sequence,
      last_message_at,
      othersReadSequence,
      membership: { ...membership, role: room.membership.role },
    }
    this.#rooms.set(room.id, merged)
    return merged
  }
  incidentRoom = async (incidentId: string): Promise<Room> =>
    this.#storedBy(await embedded.incidentRoom(incidentId))
  createRoom = async (given: NewRoom): Promise<Room> => {
    const room = await this.#storedBy(await embedded.createRoom(given))
    // Shows the room again if the caller had hidden it.
    if (room.kind === 'DIRECT_MESSAGE') await this.#service.post(`${await this.#pathOf(room.id)}/show`, {})
    return room
  }
  /** Waits until the service has a room, because our server writes it there after its response. */
  async #storedBy(made: Room): Promise<Room> {
    for (const ms of WAITS_MS) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- until the service has it
        return await this.room(made.id)
      } catch (error) {
        if (!(error instanceof HttpProblem) || error.status !== 404) throw error
      }
      // oxlint-disable-next-line no-await-in-loop -- until the service has it
      await wait(ms)
    }
    return this.#merged(made)
  }
  updateRoom = async (id: string, changes: RoomChanges): Promise<Room> =>
    this.#merged(await embedded.updateRoom(id, changes))
  removeRoom = (id: string): Promise<void> => embedded.removeRoom(id)
  leaveRoom = (id: string): Promise<void> => embedded.leaveRoom(id)
  returnToRoom = (id: string): Promise<Room> => embedded.returnToRoom(id)
  markPrivileged = async (id: string, isPrivileged: boolean): Promise<Room> =>
    this.#merged(await embedded.markPrivileged(id, isPrivileged))
  hideRoom = async (id: string): Promise<void> => {
    await this.#service.post(`${await this.#pathOf(id)}/hide`, { clear_history: false })
  }
  readRoom = async (id: string, sequence: number): Promise<void> => {
    const numbers = this.#numbersOf(id)
    const message_id = sequence < numbers.last ? numbers.idOf(sequence) : undefined
    await this.#service.post(`${await this.#pathOf(id)}/read`, message_id ? { message_id } : {})
    void this.#reportRead(id, sequence)
  }
  typeInRoom = async (id: string): Promise<void> => {
    await this.#service.post(`${await this.#pathOf(id)}/event`, { event: { type: 'typing.start' } })
  }

  // Members: our server knows them and their roles.

  members = async (
    roomId: string,
    query: { q?: string; active?: boolean; userIds?: readonly string[] } & Part,
  ): Promise<Slice<RoomMember>> => {
    const slice = await embedded.members(roomId, query)
    this.#learn(slice.items)
    return slice
  }
  addMembers = async (roomId: string, userIds: readonly string[]): Promise<Room> =>
    this.#merged(await embedded.addMembers(roomId, userIds))
  changeRole = (roomId: string, userId: string, role: Exclude<RoomRole, 'owner'>): Promise<RoomMember> =>
    embedded.changeRole(roomId, userId, role)
  removeMember = (roomId: string, userId: string): Promise<void> => embedded.removeMember(roomId, userId)

  // Messages.

  /** Fetches the reactions that the service left out. */
  #complete(messages: readonly WireMessage[]): Promise<WireMessage[]> {
    return Promise.all(
      messages.map(async (message) => {
        if (!lacksReactions(message)) return message
        const { reactions } = await this.#service.get<{ reactions: WireReaction[] }>(
          `/messages/${escaped(message.id)}/reactions`,
          { limit: REACTIONS_MAX },
        )
        return { ...message, latest_reactions: reactions }
      }),
    )
  }
  /** The service's query for a range of messages. */
  #wanted(roomId: string, { before, after, around }: MessageRange): Record<string, unknown> {
    const numbers = this.#numbersOf(roomId)
    const limit = MESSAGES_PER_PAGE
    if (before !== undefined) return { limit, id_lt: numbers.idOf(before) }
    if (after !== undefined) return { limit, id_gt: numbers.idOf(after) }
    if (around === undefined) return { limit }
    const id = numbers.idOf(around)
    if (id !== undefined) return { limit, id_around: id }
    // For a message that is not loaded: its distance from the newest one if short, otherwise a time.
    const distance = numbers.last - around
    return distance >= 0 && distance < MESSAGES_MAX
      ? { limit: Math.min(MESSAGES_MAX, distance + limit) }
      : { limit, created_at_around: new Date(around / 1_000).toISOString() }
  }
  messages = async (roomId: string, range: MessageRange): Promise<MessagePage> => {
    const numbers = this.#numbersOf(roomId)
    const path = await this.#pathOf(roomId)
    const wanted = this.#wanted(roomId, range)
    const state = await this.#service.post<WireState>(
      `${path}/query`,
      { state: true, watch: true, presence: false, messages: wanted },
      range.signal,
    )
    const found = await this.#complete(state.messages ?? [])
    const isNewest = Object.keys(wanted).length === 1
    if (isNewest) numbers.newest(found)
    else
      numbers.page(found, {
        ...(range.before !== undefined && { before: range.before }),
        ...(range.after !== undefined && { after: range.after }),
      })
    const messages = found.map((message) => messageOf(message, roomId, numbers))
    const people = peopleIn(found)
    this.#learn(people)
    this.#learnMentions(found, roomId)
    const isFull = found.length >= Number(wanted['limit'])
    const last = messages.at(-1)?.sequence ?? 0
    return {
      messages,
      people,
      hasOlder: range.around === undefined ? isFull && range.after === undefined : found.length > 0,
      hasNewer: !isNewest && (range.after === undefined ? last < numbers.last : isFull),
    }
  }
  #named(message: WireMessage): NamedMessage {
    const roomId = roomIdOf(message.cid ?? message.channel?.cid ?? '')
    const people = peopleIn([message])
    this.#learn(people)
    return { message: messageOf(message, roomId, this.#numbersOf(roomId)), people }
  }
  message = async (id: string): Promise<NamedMessage> => {
    const { message } = await this.#service.get<{ message: WireMessage }>(`/messages/${escaped(id)}`)
    const [complete] = await this.#complete([message])
    return this.#named(complete!)
  }

  /**
   * Ids of people, for unknown ones from our server. A message does not wait long for it, because it names
   * people by email address as well.
   */
  async #idsOf(emails: readonly string[]): Promise<string[]> {
    const unknown = emails.filter((email) => !this.#idsByEmail.has(email))
    if (unknown.length > 0)
      await Promise.race([requestPeople(unknown).then((people) => this.#learn(people)), wait(IDS_WAIT_MS)])
    return emails.flatMap((email) => this.#idsByEmail.get(email) ?? [])
  }
  /**
   * Fields of a message for the service: plain text for its search (with names of files), our rich text, and
   * mentioned people.
   */
  async #written(text: string, fileIds: readonly string[]) {
    const plain = text === '' ? '' : lineOf(text, (email) => email)
    const emails = mentionedEmails(plain)
    const mentioned = await this.#idsOf(emails)
    const names = fileIds.map((id) => fileOfId(id).title)
    const fields = {
      text: [plain, ...names].filter(Boolean).join('\n'),
      richText: text,
      mentioned_users: mentioned.filter((id) => id !== this.#me),
      attachments: fileIds.map(wireAttachmentOf),
    }
    return { fields, hasMentions: emails.length > 0 }
  }
  send = async (roomId: string, message: NewMessage): Promise<Message> => {
    const path = await this.#pathOf(roomId)
    const { fields, hasMentions } = await this.#written(message.text, message.fileIds)
    if (!hasMentions) return this.#post(path, roomId, message, fields)
    this.#mentions.prepare(roomId, message.clientId)
    try {
      return await this.#post(path, roomId, message, fields)
    } finally {
      // Also after a failure, because only the response may have been lost.
      this.#mentions.report(roomId, message.clientId)
    }
  }
  async #post(
    path: string,
    roomId: string,
    { clientId: id, replyTo }: NewMessage,
    fields: Readonly<Record<string, unknown>>,
  ): Promise<Message> {
    const body = {
      message: {
        id,
        ...fields,
        privileged: this.#rooms.get(roomId)?.privileged ?? false,
        ...(replyTo !== null && { quoted_message_id: replyTo }),
      },
    }
    try {
      const { message } = await this.#service.post<{ message: WireMessage }>(`${path}/message`, body)
      this.#numbersOf(roomId).arrived(message)
      return this.#named(message).message
    } catch (error) {
      // An earlier response was lost if the message exists; otherwise the service refused it.
      if (!(error instanceof HttpProblem) || error.status !== 400) throw error
      const known = await this.message(id).catch(() => undefined)
      if (!known) throw error
      return known.message
    }
  }
  async #change(id: string, set: Readonly<Record<string, unknown>>): Promise<Message> {
    const { message } = await this.#service.put<{ message: WireMessage }>(`/messages/${escaped(id)}`, { set })
    const [complete] = await this.#complete([message])
    return this.#named(complete!).message
  }
  edit = async (id: string, { text, fileIds }: MessageChanges): Promise<Message> => {
    const kept = fileIds ?? (await this.message(id)).message.attachments.map((file) => file.id)
    const { fields, hasMentions } = await this.#written(text, kept)
    const changed = await this.#change(id, fields)
    if (hasMentions) this.#mentions.report(changed.roomId, id)
    return changed
  }
  removeMessage = async (id: string): Promise<void> => {
    const { message } = await this.#service.delete<{ message?: WireMessage }>(`/messages/${escaped(id)}`)
    const cid = message?.cid ?? message?.channel?.cid
    if (cid !== undefined) this.#mentions.report(roomIdOf(cid), id)
  }
  react = async (id: string, emoji: string, isOn: boolean): Promise<Message> => {
    const type = typeOfEmoji(emoji)
    if (isOn) await this.#service.post(`/messages/${escaped(id)}/reaction`, { reaction: { type } })
    else await this.#service.delete(`/messages/${escaped(id)}/reaction/${type}`)
    return (await this.message(id)).message
  }
  pin = (id: string, isPinned: boolean): Promise<Message> => this.#change(id, { pinned: isPinned })
  /** Not offered: see `lacks`. */
  addToIncident = (): Promise<never> => Promise.reject(new HttpProblem(NO_ROOM, 409))

  pinned = async (roomId: string, signal?: AbortSignal): Promise<MessagePage> => {
    const path = await this.#pathOf(roomId)
    const { messages: found } = await this.#service.get<{ messages: WireMessage[] }>(
      `${path}/pinned_messages`,
      { payload: { limit: MESSAGES_MAX, sort: [{ field: 'pinned_at', direction: -1 }] }, signal },
    )
    const messages = found.map((message) => messageOf(message, roomId, this.#numbersOf(roomId)))
    return { messages, people: peopleIn(found), hasOlder: false, hasNewer: false }
  }
  readers = async (messageId: string) => {
    const { message } = await this.message(messageId)
    const path = await this.#pathOf(message.roomId)
    const { read = [] } = await this.#service.post<{ read?: WireRead[] }>(`${path}/query`, {
      state: true,
      messages: { limit: 1 },
    })
    const readers = read.filter(
      ({ user, last_read }) =>
        user.id !== message.user && microsecondsOf(last_read) >= microsecondsOf(message.created_at),
    )
    const people = readers.flatMap(({ user }) => user.person ?? [])
    return { people: people.slice(0, READERS_MAX), total: readers.length }
  }

  async #search(
    where: Filter,
    what: Filter,
    { next, limit, signal }: { next?: string | undefined; limit: number; signal?: AbortSignal | undefined },
  ): Promise<{ found: WireMessage[]; next: string | null }> {
    const reply = await this.#service.get<{ results: { message: WireMessage }[]; next?: string }>('/search', {
      payload: {
        filter_conditions: where,
        message_filter_conditions: what,
        sort: [{ field: 'created_at', direction: -1 }],
        limit,
        ...(next && { next }),
      },
      signal,
    })
    return { found: reply.results.map(({ message }) => message), next: reply.next || null }
  }
  search = async (wanted: MessageSearch): Promise<FoundMessages> => {
    const { q, roomId, userId, from, to, cursor, signal } = wanted
    const where = roomId ? { cid: { $in: [await this.#cidOf(roomId)] } } : { members: { $in: [this.#me] } }
    const time = { ...(from && { $gte: from }), ...(to && { $lt: to }) }
    const what = {
      text: { $q: q },
      ...(userId && { 'user.id': { $eq: userId } }),
      ...((from ?? to) && { created_at: time }),
    }
    const { found, next } = await this.#search(where, what, {
      next: cursor,
      limit: MESSAGES_PER_PAGE,
      signal,
    })
    const named = found.map((message) => this.#named(message))
    return { messages: named.map(({ message }) => message), people: peopleIn(found), next }
  }
  #cidOf = async (roomId: string): Promise<string> =>
    (await this.#pathOf(roomId)).replace('/channels/', '').replace('/', ':')
  presence = async (userIds: readonly string[]): Promise<readonly string[]> => {
    const { users } = await this.#service.get<{ users: WireUser[] }>('/users', {
      payload: { filter_conditions: { id: { $in: userIds } }, limit: MESSAGES_MAX, presence: false },
    })
    return users.filter(({ online }) => online).map(({ id }) => id)
  }

  // Files, stored by the service.

  files = async (
    roomId: string,
    { q = '', first, count, signal }: { q?: string } & Part,
  ): Promise<Slice<RoomFile>> => {
    const where = { cid: { $in: [await this.#cidOf(roomId)] } }
    const files: RoomFile[] = []
    let next: string | null | undefined
    for (let page = 0; page < FILES_PAGES && next !== null && files.length <= first + count; page++) {
      // oxlint-disable-next-line no-await-in-loop -- pages of one list
      const answer = await this.#search(
        where,
        { attachments: { $exists: true } },
        { next, limit: MESSAGES_MAX, signal },
      )
      next = answer.next
      for (const wire of answer.found) files.push(...this.#filesIn(wire, roomId, q))
    }
    return { items: files.slice(first, first + count), total: files.length }
  }
  #filesIn(wire: WireMessage, roomId: string, q: string): RoomFile[] {
    const { id, sequence, user, attachments } = messageOf(wire, roomId, this.#numbersOf(roomId))
    return attachments
      .filter(({ title }) => title.toLowerCase().includes(q.trim().toLowerCase()))
      .map((file) => ({ ...file, messageId: id, messageSequence: sequence, user }))
  }
  upload = async (
    file: File,
    options: { signal?: AbortSignal; onProgress?: (share: number) => void },
  ): Promise<MessageAttachment> => {
    const url = await this.#service.upload(file, options)
    const type = file.type || 'application/octet-stream'
    return attachmentOf({ url, title: file.name, size: file.size, type, at: new Date().toISOString() })
  }
  file = async (id: string, signal?: AbortSignal): Promise<DownloadedFile> => {
    const { url, title } = fileOfId(id)
    const response = await fetch(url, {
      ...(signal && { signal }),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    }).catch((error: unknown) => {
      throw (error as Error).name === 'AbortError' ? error : new HttpProblem(NO_ANSWER, 0)
    })
    if (!response.ok)
      throw new HttpProblem(response.statusText, response.status === 403 ? 404 : response.status)
    return { blob: await response.blob(), fileName: title }
  }
  /** The service converts no images. */
  download = (id: string): Promise<DownloadedFile> => this.file(id)
  shownFile = async (id: string): Promise<Blob> => (await this.file(id)).blob
  removeFile = async (id: string): Promise<void> => {
    await this.#service.delete('/uploads/file', { url: fileOfId(id).url })
  }

  /** Not offered: our server refuses it. */
  requestExport: ChatProvider['requestExport'] = (wanted) => embedded.requestExport(wanted)
  mentions = (): Promise<never> => Promise.reject(new HttpProblem(NOT_HERE, 409))
  groupsInRoom = (): Promise<never> => Promise.reject(new HttpProblem(NOT_HERE, 409))
  save = (): Promise<never> => Promise.reject(new HttpProblem(NOT_HERE, 409))
  unsave = (): Promise<never> => Promise.reject(new HttpProblem(NOT_HERE, 409))
  saved = (): Promise<never> => Promise.reject(new HttpProblem(NOT_HERE, 409))
  schedule = (): Promise<never> => Promise.reject(new HttpProblem(NOT_HERE, 409))
  scheduled = (): Promise<never> => Promise.reject(new HttpProblem(NOT_HERE, 409))
  changeScheduled = (): Promise<never> => Promise.reject(new HttpProblem(NOT_HERE, 409))
  sendScheduled = (): Promise<never> => Promise.reject(new HttpProblem(NOT_HERE, 409))
  cancelScheduled = (): Promise<never> => Promise.reject(new HttpProblem(NOT_HERE, 409))
  thread = (): Promise<never> => Promise.reject(new HttpProblem(NOT_HERE, 409))
  threads = (): Promise<never> => Promise.reject(new HttpProblem(NOT_HERE, 409))
  readThread = (): Promise<never> => Promise.reject(new HttpProblem(NOT_HERE, 409))
  unreadRoom = (): Promise<never> => Promise.reject(new HttpProblem(NOT_HERE, 409))
  changeMembership = (): Promise<never> => Promise.reject(new HttpProblem(NOT_HERE, 409))
  exportProgress: ChatProvider['exportProgress'] = (id) => embedded.exportProgress(id)
  exportFile: ChatProvider['exportFile'] = (id) => embedded.exportFile(id)
}
