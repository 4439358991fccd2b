import {
  type ChatChange,
  type MembershipChanges,
  type Message,
  type MessageChanges,
  type MessagePage,
  type Room,
  type RoomKind,
} from '#contract/chat/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'

import { live } from '../live.ts'
import { people } from '../people.ts'
import { getSession, subscribeSession } from '../session.ts'
import { embedded } from './embedded.ts'
import { hosted, isHosted } from './hosted/later.ts'
import { forgetKept, hasLeft } from './kept.ts'
import { LoadedRooms, TIMEOUT_MS } from './loadedRooms.ts'
import type { ChatNews, ChatProvider } from './provider.ts'
import { lastMessageOf, type RoomList } from './rooms.ts'
import { type Draft, Sending } from './sending.ts'
import { Threads } from './threads.ts'
import { type ChatMessage, conversationOf, type Timeline } from './timeline.ts'
import { Timelines } from './timelines.ts'
import { Typing } from './typing.ts'
import { unread } from './unread.ts'

/** Polling interval while the socket is down. */
const POLL_MS = 5_000

const ROOM_TOPIC = 'room '
/** Time over which the members of a room ask whether an audience includes them, in all and for each member. */
const ASK_SPREAD_MS = 1_500
const ASK_MS = 3
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A new message of another person. */
export interface Arrival {
  readonly message: Message
  /** Resolves to true if the message mentions the person. */
  readonly mentionsMe: Promise<boolean>
  /** Null while the room is not loaded. */
  readonly room: Room | null
}

/**
 * The chat of this page: its loaded rooms and messages, updated by the engine. Screens read it with the hooks
 * of `useChat.ts`. Subscribes to an engine at `start` and clears its state when that ends.
 */
export class Chat {
  #engine: ChatProvider | undefined
  /** The organisation's engine, unless another one is set. */
  get provider(): ChatProvider {
    return this.#engine ?? (isHosted() ? hosted : embedded)
  }
  set provider(engine: ChatProvider) {
    this.#engine = engine
  }
  #me = ''
  /** Sequence of the newest known change; null before the first. */
  #sequence: number | null = null
  /**
   * Resolves when the sequence is known. No request starts before, so that changes during the first requests
   * can be fetched.
   */
  #begun: Promise<void> | undefined
  /** The sequence before the first requests, until the connection has caught up from it. */
  #since: number | null = null
  /** True when the sequence could not be requested before the first requests. */
  #isUnsure = false
  readonly #rooms = new LoadedRooms({
    provider: () => this.provider,
    fetch: (ask, take) => this.#fetch(ask, take),
    learn: (named) => this.learn(named),
    dropped: (id) => {
      for (const one of [id, ...this.#threads.idsIn(id)]) this.#timelines.drop(one)
    },
    changed: (topic) => this.#emit(topic),
  })
  readonly #threads = new Threads({ changed: () => this.#emit('threads') })
  readonly #timelines = new Timelines({
    fetch: (id, range, take) => {
      const ask = { ...range, signal: AbortSignal.timeout(TIMEOUT_MS) }
      const learn = (page: MessagePage) => {
        this.learn(page.people)
        this.#learnSaved(page)
        take(page)
      }
      return this.#threads.get(id)
        ? this.#fetch(
            () => this.provider.thread(id, ask),
            (page) => learn(this.#threads.take(id, page)),
          )
        : this.#fetch(() => this.provider.messages(id, ask), learn)
    },
    changed: (id) => this.#emit(`timeline ${id}`),
  })
  readonly #sending = new Sending({
    me: () => this.#me,
    provider: () => this.provider,
    sent: (message) => this.#putMessage(message),
    changed: (id) => this.#emit(`timeline ${id}`),
  })
  readonly #typing = new Typing((roomId) => this.#emit(`typing ${roomId}`))
  #memberChanges = new Map<string, number>()
  #emails = new Map<string, string>()
  /** Increases with each person added. */
  peopleVersion = 0
  /** Changes during running requests, whose responses may be older. */
  #meanwhile: ChatChange[] = []
  #fetching = 0
  readonly #watchers = new Map<string, Set<() => void>>()
  readonly #arrivals = new Set<(arrival: Arrival) => void>()
  #reading = new Map<string, number>()
  /** Read marks on their way to the server, by room. */
  #telling = new Map<string, Promise<void>>()
  /** Rooms that the person marked as unread and has not opened again. */
  #unreadHeld = new Set<string>()
  #saved = new Set<string>()
  /** Counts sessions, so that responses for an earlier one are dropped. */
  #session = 0

  #followers = 0
  #stop = () => {}

  /** Subscribes to the engine until every caller has called the returned function. */
  start(): () => void {
    if (this.#followers++ === 0) this.#stop = this.#follow()
    return () => {
      if (--this.#followers === 0) this.#stop()
    }
  }
  #follow(): () => void {
    this.#me = getSession().uuid ?? ''
    this.#sending.restore()
    void this.#begin()
    const engine = this.provider
    const unsubscribe = engine.subscribe((news) => this.#hear(news))
    const unwatch = subscribeSession(() => {
      const { uuid } = getSession()
      if (uuid !== null && (uuid !== this.#me || this.provider !== engine)) this.#startAnew()
    })
    const poll = setInterval(() => {
      if (live.status() === 'down' && navigator.onLine && !document.hidden) void this.#poll()
    }, POLL_MS)
    return () => {
      unsubscribe()
      unwatch()
      clearInterval(poll)
      if (hasLeft()) forgetKept(this.#me)
      this.#forget()
    }
  }

  /** Switches to another engine or person, and reloads the visible parts. */
  #startAnew() {
    const kinds = this.#rooms.listedKinds()
    const shown = this.#timelines.ids()
    const threads = shown.flatMap((id) => {
      const thread = this.#threads.get(id)
      return thread ? [{ id, roomId: thread.roomId }] : []
    })
    const rooms = [...this.#watchers].filter(([topic, { size }]) => size > 0 && topic.startsWith(ROOM_TOPIC))
    this.#stop()
    this.#stop = this.#follow()
    for (const topic of this.#watchers.keys()) this.#emit(topic)
    for (const kind of kinds) void this.loadList(kind)
    for (const [topic] of rooms) void this.loadRoom(topic.slice(ROOM_TOPIC.length))
    for (const { id, roomId } of threads) this.#threads.open(id, roomId)
    for (const id of shown) void this.open(id)
  }

  watch(topic: string, watcher: () => void): () => void {
    const watchers = this.#watchers.get(topic) ?? new Set()
    this.#watchers.set(topic, watchers.add(watcher))
    return () => watchers.delete(watcher)
  }
  /** Calls `listener` with each new message of another person. */
  onArrival(listener: (arrival: Arrival) => void): () => void {
    this.#arrivals.add(listener)
    return () => this.#arrivals.delete(listener)
  }

  // Loaded state.

  list = (kind: RoomKind): RoomList => this.#rooms.list(kind)
  /** A room; null for one that does not exist for the caller, undefined while unknown. */
  room(id: string): Room | null | undefined {
    return this.#rooms.get(id) ?? (this.#rooms.isMissing(id) ? null : undefined)
  }
  /** The loaded rooms, in no order. */
  knownRooms = (): Room[] => this.#rooms.all()
  /** The messages of a room, or of an opened thread by its id. */
  timeline = (id: string): Timeline => this.#timelines.of(id)
  pending = (id: string): readonly ChatMessage[] => this.#sending.messagesIn(id)
  /** A thread that was opened; undefined for others. */
  thread = (id: string) => this.#threads.get(id)
  /** Ids of the unread threads in which the person takes part. */
  unreadThreads = (): ReadonlySet<string> => this.#threads.unread()
  typing = (roomId: string): readonly string[] => this.#typing.idsIn(roomId)
  /** Increases when members join, leave or change roles. */
  memberChanges = (roomId: string): number => this.#memberChanges.get(roomId) ?? 0
  /** Email address of a person whom the chat has named; undefined for others. */
  emailOf = (userId: string): string | undefined => this.#emails.get(userId)

  // Lists and rooms.

  /** Loads the first rooms of a list, or retries after a failure. */
  loadList = (kind: RoomKind): Promise<void> => this.#rooms.loadList(kind)
  loadMore = (kind: RoomKind): Promise<void> => this.#rooms.loadMore(kind)
  /** Loads a room that no list has loaded. */
  loadRoom = (id: string): Promise<void> => this.#rooms.load(id)
  /** Joins the open breakout room of an incident. */
  enterRoom = (id: string, incidentId: string): Promise<void> =>
    this.#rooms.load(id, () => this.provider.incidentRoom(incidentId))
  /** Requests a room and stores it, unless the session has ended meanwhile. */
  take(request: (provider: ChatProvider) => Promise<Room>): Promise<Room> {
    return this.#request(
      () => request(this.provider),
      (room) => this.#rooms.put(room),
    )
  }
  /** Stores a room after an action without a response body. */
  put = (room: Room): void => this.#rooms.put(room)

  // Messages.

  /** Loads the newest messages of a room or an opened thread, or those around a sequence. */
  open = (id: string, around?: number): Promise<void> => this.#timelines.open(id, around)
  loadOlder = (id: string): Promise<void> => this.#timelines.loadOlder(id)
  loadNewer = (id: string): Promise<void> => this.#timelines.loadNewer(id)
  /** Opens the thread of a message: its newest answers, or those around one. */
  openThread(id: string, roomId: string, around?: number): Promise<void> {
    this.#threads.open(id, roomId)
    return this.open(id, around)
  }

  /** Requests a message and stores it, unless the session has ended meanwhile. */
  takeMessage(request: (provider: ChatProvider) => Promise<Message>): Promise<Message> {
    return this.#request(
      () => request(this.provider),
      (message) => this.#putMessage(message),
    )
  }
  #putMessage(message: Message) {
    const { roomId, clientId } = message
    this.#sending.drop(conversationOf(message), clientId)
    this.#timelines.put(message)
    if (message.thread && message.user === this.#me)
      this.#threads.answered(message.thread.id, message.thread.sequence)
    if (message.sequence === 0) return
    this.#rooms.change(roomId, (room) => {
      if (message.sequence < room.sequence) return room
      const lastMessage = lastMessageOf(message)
      if (message.sequence === room.sequence) return { ...room, lastMessage }
      const isMine = message.user === this.#me
      // The sender has read the room, also what was marked as unread.
      if (isMine) this.#unreadHeld.delete(roomId)
      const { mentions = 0 } = room.membership
      const readSequence = isMine ? message.sequence : room.membership.readSequence
      return {
        ...room,
        sequence: message.sequence,
        last_message_at: message.created_at,
        lastMessage,
        membership: {
          ...room.membership,
          hidden: false,
          readSequence,
          unread: message.sequence - readSequence,
          mentions:
            isMine || this.provider.lacks?.has('mentionList') ? 0 : mentions + Number(this.#namesMe(message)),
        },
      }
    })
  }
  #namesMe = ({ mentioned_users, user }: Message): boolean =>
    user !== this.#me && mentioned_users.includes(this.#me)

  /** Marks everything up to a message of a room, or an answer of an opened thread, as read. */
  read(id: string, sequence: number): void {
    if (!this.#threads.get(id)) return this.#readInRoom(id, sequence)
    if (!this.#threads.read(id, sequence)) return
    const isLast = sequence >= (this.timeline(id).messages.at(-1)?.sequence ?? 0)
    if (isLast && !this.timeline(id).hasNewer) this.#threads.mark(id, false)
    this.#tell(id, sequence)
  }
  #readInRoom(roomId: string, sequence: number): void {
    const room = this.#rooms.get(roomId)
    if (!room || sequence <= room.membership.readSequence || this.#unreadHeld.has(roomId)) return
    this.#readUpTo(roomId, sequence)
    this.#tell(roomId, sequence)
  }
  #tell(id: string, sequence: number): void {
    const isAsking = this.#reading.has(id)
    this.#reading.set(id, sequence)
    if (!isAsking) this.#telling.set(id, this.#tellRead(id))
  }
  async #tellRead(roomId: string) {
    const session = this.#session
    const isThread = this.#threads.get(roomId) !== undefined
    for (let told = 0; session === this.#session && told < (this.#reading.get(roomId) ?? 0);) {
      const sequence = this.#reading.get(roomId)!
      try {
        if (isThread) await this.provider.readThread(roomId, sequence)
        else await this.provider.readRoom(roomId, sequence)
      } catch {
        // The next read mark includes this one.
      }
      told = sequence
    }
    if (session !== this.#session) return
    this.#reading.delete(roomId)
    this.#telling.delete(roomId)
    // The server counts the mentions that are left.
    if (this.#rooms.get(roomId)?.membership.mentions) await this.#rooms.refresh(roomId)
  }
  /** Marks a message and those after it as unread, until the room is opened again. */
  async unreadFrom(roomId: string, sequence: number): Promise<void> {
    this.#unreadHeld.add(roomId)
    try {
      // A read mark that arrives later would undo it.
      await this.#telling.get(roomId)
      await this.take((provider) => provider.unreadRoom(roomId, sequence))
    } catch (error) {
      this.#unreadHeld.delete(roomId)
      throw error
    }
    await this.#countUnread()
  }
  /** Lets what is shown of a room count as read again. */
  resumeReading = (roomId: string): void => void this.#unreadHeld.delete(roomId)
  /** Changes the person's own settings of a room. */
  async changeMembership(roomId: string, changes: MembershipChanges): Promise<void> {
    await this.take((provider) => provider.changeMembership(roomId, changes))
    await this.#countUnread()
  }
  /** True for a message that the person has saved. */
  isSaved = (messageId: string): boolean => this.#saved.has(messageId)
  /** Saves a message; `remindAt` changes its reminder. */
  async save(messageId: string, remindAt?: string | null): Promise<void> {
    await this.#request(
      () => this.provider.save(messageId, remindAt),
      () => this.#markSaved(messageId, true),
    )
  }
  async unsave(messageId: string): Promise<void> {
    await this.#request(
      () => this.provider.unsave(messageId),
      () => this.#markSaved(messageId, false),
    )
  }
  #markSaved(messageId: string, isSaved: boolean) {
    if (isSaved) this.#saved.add(messageId)
    else this.#saved.delete(messageId)
    this.#emit('saved')
  }
  #learnSaved({ messages, saved = [] }: MessagePage) {
    for (const { id } of messages)
      if (this.#saved.has(id) !== saved.includes(id)) this.#markSaved(id, saved.includes(id))
  }
  /** Loads what another page of the person changed of a room. */
  async #ownChanged(roomId: string) {
    const session = this.#session
    const before = this.#rooms.get(roomId)?.membership.readSequence ?? 0
    await this.#rooms.refresh(roomId)
    if (session !== this.#session) return
    const { readSequence } = this.#rooms.get(roomId)?.membership ?? { readSequence: before }
    if (readSequence < before) this.#unreadHeld.add(roomId)
    await this.#countUnread()
  }
  #readUpTo(roomId: string, sequence: number) {
    this.#rooms.change(roomId, (room) => {
      const readSequence = Math.max(room.membership.readSequence, sequence)
      return {
        ...room,
        membership: {
          ...room.membership,
          readSequence,
          unread: Math.max(0, room.sequence - readSequence),
          mentions: readSequence < room.sequence ? room.membership.mentions : 0,
        },
      }
    })
  }

  // Sending.

  /** Shows a message at once and sends it after earlier ones. */
  send = (roomId: string, draft: Draft): void => this.#sending.send(roomId, draft)
  /** Retries a failed message of a room or thread. */
  retry = (id: string, clientId: string): void => this.#sending.retry(id, clientId)
  /** Discards a failed message of a room or thread. */
  discard = (id: string, clientId: string): void => this.#sending.drop(id, clientId)

  async edit(messageId: string, changes: MessageChanges): Promise<void> {
    await this.takeMessage((provider) => provider.edit(messageId, changes))
  }
  async react(messageId: string, emoji: string, isOn: boolean): Promise<void> {
    await this.takeMessage((provider) => provider.react(messageId, emoji, isOn))
  }
  async pin(messageId: string, isPinned: boolean): Promise<void> {
    await this.takeMessage((provider) => provider.pin(messageId, isPinned))
  }

  // Changes from the engine.

  #hear(news: ChatNews) {
    if (news.type === 'chat-ready' || news.type === 'chat-gap') this.#sending.resume()
    if (news.type === 'chat') {
      this.#sequence = Math.max(this.#sequence ?? 0, news.sequence)
      if (this.#fetching > 0) this.#meanwhile.push(news)
      this.#arrive(news)
      this.#apply(news)
    } else if (news.type === 'chat-typing') this.#somebodyTypes(news.roomId, news.userId)
    else if (news.type === 'chat-read') this.#somebodyRead(news)
    else if (news.type === 'chat-own') void this.#ownChanged(news.roomId)
    else if (news.type === 'chat-thread') this.#threads.mark(news.threadId, news.isUnread)
    else if (news.type === 'chat-ready') void this.#joined(news.sequence)
    else void this.#reload()
  }
  /** Fetches the changes between the first requests and the start of the connection, which reports all later ones. */
  async #joined(sequence: number) {
    const session = this.#session
    await this.#begin()
    if (session !== this.#session) return
    const since = this.#since
    this.#since = null
    if (this.#isUnsure) await this.#reload()
    else if (since === null || since < sequence) {
      if (since !== null) await this.#catchUp(since)
      // No connection repeats which threads became unread without it.
      await this.#countUnread()
    }
    this.#isUnsure = false
    this.#sequence = Math.max(this.#sequence ?? 0, sequence)
  }
  #arrive(news: ChatChange) {
    if (news.kind !== 'message') return
    const { message } = news
    const room = this.#rooms.get(news.roomId) ?? null
    const isInThread = message.sequence === 0
    // Any later change of an answer has its time.
    const isNew = isInThread
      ? message.updated_at === message.created_at
      : room === null
        ? message.editedAt === null
        : message.sequence > room.sequence
    if (!isNew || message.user === this.#me || message.deletedAt !== null) return
    if (room === null && !isInThread) unread.add(1)
    const mentionsMe = this.#reachesMe(message)
    for (const listener of this.#arrivals) listener({ message, room, mentionsMe })
  }
  /** Asks the server for the room where a message mentions an audience: who is in it is known there alone. */
  async #reachesMe(message: Message): Promise<boolean> {
    if (!message.audiences || this.#namesMe(message)) return this.#namesMe(message)
    const { roomId } = message
    const session = this.#session
    const room = this.#rooms.get(roomId)
    // Everybody in the room asks.
    await wait(Math.random() * Math.min(ASK_SPREAD_MS, (room?.member_count ?? 0) * ASK_MS))
    if (session !== this.#session) return false
    const before = this.#rooms.get(roomId)?.membership.mentions ?? 0
    await this.#rooms.refresh(roomId)
    return session === this.#session && (this.#rooms.get(roomId)?.membership.mentions ?? 0) > before
  }
  #apply(change: ChatChange) {
    const { roomId } = change
    if (change.kind === 'message') {
      this.learn(change.people)
      this.#typing.stop(roomId, change.message.user)
      const before = this.#rooms.get(roomId)
      this.#putMessage(change.message)
      if (before && this.#mayUnmention(before, change.message)) void this.#rooms.refresh(roomId)
      // A room that the caller had hidden, or that no list has loaded yet.
      if (!this.#rooms.get(roomId)) void this.#rooms.refresh(roomId)
    } else if (change.kind === 'thread') {
      this.learn(change.people)
      this.#timelines.putAnswers(roomId, change.threadId, change.answers)
    } else if (change.kind === 'room') {
      if (this.#rooms.get(roomId)) this.#rooms.change(roomId, (room) => ({ ...room, ...change.room }))
      else void this.#rooms.refresh(roomId)
    } else if (change.kind === 'members') this.#membersChanged(roomId, change.members)
    else this.#rooms.drop(roomId)
  }
  /** True for a changed unread message that may mention the person no longer, or only now. */
  #mayUnmention = ({ sequence, membership }: Room, message: Message): boolean =>
    message.sequence <= sequence &&
    message.sequence > membership.readSequence &&
    (message.deletedAt !== null || message.editedAt !== null) &&
    ((membership.mentions ?? 0) > 0 || this.#namesMe(message))
  #membersChanged(roomId: string, members: readonly { readonly user_id: string; readonly left: boolean }[]) {
    const mine = members.find(({ user_id }) => user_id === this.#me)
    if (mine?.left) return this.#rooms.drop(roomId)
    this.#memberChanges.set(roomId, this.memberChanges(roomId) + 1)
    this.#emit(`members ${roomId}`)
    if (mine || this.#rooms.get(roomId)?.kind === 'DIRECT_MESSAGE') void this.#rooms.refresh(roomId)
  }
  #somebodyRead({ roomId, userId, sequence }: { roomId: string; userId: string; sequence: number }) {
    if (userId !== this.#me)
      return this.#rooms.change(roomId, (room) => ({
        ...room,
        othersReadSequence: Math.max(room.othersReadSequence, sequence),
      }))
    if (this.#rooms.get(roomId)) this.#readUpTo(roomId, sequence)
    else void this.#countUnread()
  }
  #somebodyTypes(roomId: string, userId: string) {
    if (!this.#emails.has(userId)) void this.nameMembers(roomId, [userId])
    this.#typing.start(roomId, userId)
  }

  /** Stores people named in a response. */
  learn(named: readonly NamedPerson[]): void {
    if (named.length === 0) return
    let isNews = false
    for (const { uuid, email } of named) {
      if (this.#emails.get(uuid) === email) continue
      this.#emails.set(uuid, email)
      isNews = true
    }
    people.learn(named)
    if (!isNews) return
    this.peopleVersion++
    this.#emit('people')
  }
  /** Loads the names of members who are not known yet. */
  async nameMembers(roomId: string, userIds: readonly string[]): Promise<void> {
    const session = this.#session
    try {
      const { items } = await this.provider.members(roomId, { userIds, first: 0, count: userIds.length })
      if (session === this.#session) this.learn(items)
    } catch {
      // The members stay unnamed until another response names them.
    }
  }

  async #poll(): Promise<void> {
    if (this.#sequence === null) this.#begun = undefined
    await this.#begin()
    if (this.#sequence === null) return
    const before = this.#sequence
    await this.#catchUp(before)
    if (this.#sequence > before) await this.#countUnread()
  }
  #begin(): Promise<void> {
    const session = this.#session
    this.#begun ??= this.#countUnread().then((sequence) => {
      if (session !== this.#session) return
      this.#sequence ??= sequence
      this.#since = sequence
      this.#isUnsure = sequence === null
    })
    return this.#begun
  }
  /** Loads the unread count. Returns its sequence; null without a response. */
  async #countUnread(): Promise<number | null> {
    const session = this.#session
    try {
      const { unreadMessages, unreadThreads = [], sequence } = await this.provider.summary()
      if (session !== this.#session) return null
      this.#threads.replace(unreadThreads)
      unread.set(unreadMessages + unreadThreads.length)
      return sequence
    } catch {
      // Later changes update the count.
      return null
    }
  }
  async #catchUp(after: number): Promise<void> {
    const session = this.#session
    try {
      for (let from = after, isComplete = false; !isComplete;) {
        const page = await this.provider.changes(from)
        if (session !== this.#session) return
        for (const change of page.changes) this.#hear(change)
        from = page.sequence
        isComplete = page.isComplete
        this.#sequence = Math.max(this.#sequence ?? 0, from)
      }
    } catch {
      // The next poll or connection tries again.
    }
  }
  /** Reloads everything visible and drops rooms that are gone. */
  async #reload(): Promise<void> {
    const session = this.#session
    const shown = this.#timelines.ids()
    this.#timelines.distrustLoads()
    const roomIds = shown.filter((id) => !this.#threads.get(id))
    await this.#rooms.reload(roomIds, () => session !== this.#session, this.#countUnread())
    if (session !== this.#session) return
    await Promise.all(shown.map((id) => this.#timelines.load(id, {})))
  }
  #forget() {
    this.#session++
    for (const part of [this.#rooms, this.#timelines, this.#sending, this.#typing, this.#threads])
      part.clear()
    for (const map of [this.#memberChanges, this.#emails, this.#reading, this.#telling]) map.clear()
    this.#unreadHeld.clear()
    this.#saved.clear()
    this.#sequence = null
    this.#since = null
    this.#isUnsure = false
    this.#begun = undefined
    unread.set(0)
  }

  /** Requests once the sequence is known. After the end of the session, drops responses and ignores failures. */
  async #fetch<T>(ask: () => Promise<T>, take: (answer: T) => void): Promise<void> {
    const session = this.#session
    const askInSession = async () => {
      await this.#begin()
      if (session !== this.#session) throw new Error('The session has ended.')
      return ask()
    }
    try {
      await this.#request(askInSession, take)
    } catch (error) {
      if (session === this.#session) throw error
    }
  }
  /** Stores the response of a request in its own session, then applies the changes since the request again. */
  async #request<T>(ask: () => Promise<T>, take: (answer: T) => void): Promise<T> {
    const session = this.#session
    const from = this.#meanwhile.length
    this.#fetching++
    try {
      const answer = await ask()
      if (session === this.#session) {
        take(answer)
        for (const change of this.#meanwhile.slice(from)) this.#apply(change)
      }
      return answer
    } finally {
      if (--this.#fetching === 0) this.#meanwhile = []
    }
  }
  #emit(topic: string) {
    for (const watcher of this.#watchers.get(topic) ?? []) watcher()
  }
}

/** The page's only chat. */
export const chat = new Chat()
