import { chatAccess } from '#contract/chat/access.ts'
import { CHANGES_MAX, type ChatChange, type ChatSignal } from '#contract/chat/schema.ts'
import type { LiveHello } from '#contract/kit/live.ts'
import { afterCommit, type Database, type EventActor, type OrgDb, unitOf } from '#server/kit/database/db.ts'
import type { Bus } from '#server/kit/events/bus.ts'
import { watchHeads } from '#server/kit/events/heads.ts'
import type { ChatPublisher, LiveConnection, LiveFeed } from '#server/kit/live/feed.ts'

import { readChanges } from './changes.store.ts'
import { findHead } from './heads.store.ts'
import { activitiesOf, NONE, readableBy, shownTo } from './readable.flows.ts'
import { listRoomIds } from './rooms.store.ts'
import { PEOPLE_PER_SIGNAL, Presence, Signal } from './signals.flows.ts'

interface Member {
  readonly connection: LiveConnection
  readonly rooms: Set<string>
  /** Rooms left while the member's rooms were read. */
  readonly left: Set<string>
  /** Last change of the catch-up: frames up to it are not sent. */
  from: number
  /** Frames that wait for the end of the catch-up; null afterwards. */
  waiting: { readonly sequence: number; readonly frame: string }[] | null
}
interface Organisation {
  /** Last sent change. */
  cursor: number
  readonly opened: Promise<void>
  readonly members: Map<string, Set<Member>>
  readonly rooms: Map<string, Set<Member>>
  /** Changes that arrived before an earlier one. */
  readonly early: Map<number, ChatChange>
  reading: 'no' | 'running' | 'again'
}

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'chat' }
/** Nouns whose events may change rooms and members. */
const NOUNS = ['rooms', 'users', 'incidents', 'groups', 'calls']

/**
 * The chat on the live socket (decision 037). Changes are numbered without gaps per organisation, under a lock. A
 * process sends them in order, from memory where it made the next one itself, otherwise from the database. Frames are
 * serialised once and sent to the members of the room at that change; external members receive frames of their own
 * where a message names incidents, limited to those that they may read.
 */
export class ChatFeed implements LiveFeed, ChatPublisher {
  readonly access = chatAccess
  readonly #organisations = new Map<string, Organisation>()
  readonly #database: Database
  readonly #bus: Bus
  readonly #onError: (error: unknown) => void
  readonly #presence: Presence
  readonly #unsubscribe: readonly (() => void)[]

  constructor(parts: { database: Database; bus: Bus; onError: (error: unknown) => void }) {
    this.#database = parts.database
    this.#bus = parts.bus
    this.#onError = parts.onError
    this.#presence = new Presence(
      (signal) => this.#signal(signal),
      () => this.#local(),
    )
    this.#unsubscribe = [
      parts.bus.subscribe('chat', (payload) => this.#heard(payload)),
      parts.bus.subscribe('signals', (payload) => {
        if (payload !== null) this.#receive(Signal.parse(JSON.parse(payload)))
      }),
      watchHeads({
        database: parts.database,
        table: 'chat_heads',
        organisations: () => [...this.#organisations.keys()],
        look: (id, head) => this.#heard(`${id} ${head}`),
        onError: parts.onError,
      }),
    ]
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#presence.close()
    this.#organisations.clear()
  }

  async join(connection: LiveConnection, { chatAfter: after }: LiveHello): Promise<void> {
    // The client has no chat open.
    if (after === undefined) return
    const { organisationId, userId } = connection
    const organisation = this.#organisation(organisationId)
    const member: Member = { connection, rooms: new Set(), left: new Set(), from: 0, waiting: [] }
    const mine = organisation.members.get(userId) ?? new Set()
    organisation.members.set(userId, mine.add(member))
    if (mine.size === 1) this.#presence.changed(organisationId, userId, true)
    await organisation.opened
    const { head, rooms } = await this.#inside(organisationId, async (db) => ({
      // Read first, so that the next reads are at least as new.
      head: await findHead(db),
      rooms: await listRoomIds(db, userId),
    }))
    // The socket was closed meanwhile.
    if (!mine.has(member)) return
    for (const roomId of rooms) if (!member.left.has(roomId)) this.#enter(organisation, member, roomId)
    // Changes sent while the rooms were read did not reach the member, so the catch-up includes them.
    member.from = Math.max(head, organisation.cursor)
    if (after !== null && !(await this.#catchUp(member, after))) return
    const waiting = member.waiting ?? []
    member.waiting = null
    for (const { sequence, frame } of waiting) push(member, sequence, frame)
    connection.send(
      frameOf({ type: 'chat-ready', sequence: Math.max(member.from, waiting.at(-1)?.sequence ?? 0) }),
    )
  }

  leave(connection: LiveConnection): void {
    const { organisationId, userId } = connection
    const organisation = this.#organisations.get(organisationId)
    const mine = organisation?.members.get(userId)
    const member = [...(mine ?? [])].find((one) => one.connection === connection)
    if (!organisation || !mine || !member) return
    for (const roomId of member.rooms) this.#exit(organisation, member, roomId)
    mine.delete(member)
    if (mine.size > 0) return
    organisation.members.delete(userId)
    this.#presence.changed(organisationId, userId, false)
    if (organisation.members.size === 0) this.#organisations.delete(organisationId)
  }

  noted(organisationId: string, nouns: ReadonlySet<string>): void {
    if (NOUNS.some((noun) => nouns.has(noun))) void this.#read(organisationId)
  }

  changed(db: OrgDb, change: ChatChange, isPartial = false): void {
    const { organisationId } = unitOf(db)
    afterCommit(db, () => {
      if (isPartial) void this.#read(organisationId)
      else this.#deliver(organisationId, change)
      this.#bus.publish('chat', `${organisationId} ${change.sequence}`)
    })
  }

  typing(db: OrgDb, at: { roomId: string; userId: string }): void {
    const { organisationId } = unitOf(db)
    afterCommit(db, () => this.#signal({ kind: 'typing', organisationId, ...at }))
  }

  read(
    db: OrgDb,
    mark: { roomId: string; userId: string; sequence: number; authors: readonly string[] },
  ): void {
    const { organisationId } = unitOf(db)
    afterCommit(db, () => this.#signal({ kind: 'read', organisationId, ...mark, authors: [...mark.authors] }))
  }

  own(db: OrgDb, at: { roomId: string; userId: string }): void {
    const { organisationId } = unitOf(db)
    afterCommit(db, () => this.#signal({ kind: 'own', organisationId, ...at }))
  }

  thread(
    db: OrgDb,
    { userIds, ...at }: { roomId: string; threadId: string; userIds: readonly string[]; isUnread: boolean },
  ): void {
    const { organisationId } = unitOf(db)
    afterCommit(db, () => {
      for (let from = 0; from < userIds.length; from += PEOPLE_PER_SIGNAL) {
        const some = userIds.slice(from, from + PEOPLE_PER_SIGNAL)
        this.#signal({ kind: 'thread', organisationId, ...at, userIds: some })
      }
    })
  }

  online(organisationId: string, userIds: readonly string[]): string[] {
    const here = this.#organisations.get(organisationId)?.members
    return userIds.filter((id) => here?.has(id) || this.#presence.isElsewhere(organisationId, id))
  }

  #organisation(id: string): Organisation {
    const known = this.#organisations.get(id)
    if (known) return known
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const organisation: Organisation = {
      cursor: Infinity,
      opened: promise,
      members: new Map(),
      rooms: new Map(),
      early: new Map(),
      reading: 'no',
    }
    this.#organisations.set(id, organisation)
    this.#inside(id, findHead).then((head) => {
      organisation.cursor = head
      resolve()
      // Changes committed while the head was read were dropped.
      return this.#read(id)
    }, reject)
    // Everybody who joins awaits it.
    promise.catch(() => this.#organisations.delete(id))
    return organisation
  }

  #inside<T>(organisationId: string, work: (db: OrgDb) => Promise<T>): Promise<T> {
    return this.#database.withOrganisation({ organisationId, actor: () => SYSTEM }, work)
  }

  #enter(organisation: Organisation, member: Member, roomId: string): void {
    member.rooms.add(roomId)
    organisation.rooms.set(roomId, (organisation.rooms.get(roomId) ?? new Set()).add(member))
  }

  #exit(organisation: Organisation, member: Member, roomId: string): void {
    member.rooms.delete(roomId)
    const room = organisation.rooms.get(roomId)
    room?.delete(member)
    if (room?.size === 0) organisation.rooms.delete(roomId)
  }

  /** Sends missed changes, a page at a time, at the client's speed. Returns whether it is still connected. */
  async #catchUp({ connection, from: upTo }: Member, after: number): Promise<boolean> {
    const { organisationId, userId } = connection
    for (let at = after; at < upTo;) {
      const span = { after: at, upTo, limit: CHANGES_MAX }
      const { changes, sequence, readable } = await this.#inside(organisationId, async (db) => {
        const page = await readChanges(db, { member: userId }, span)
        return {
          ...page,
          readable: await readableBy(db, connection.isExternal ? [userId] : [], page.changes),
        }
      })
      for (const change of changes)
        connection.send(frameOf(connection.isExternal ? shownTo(userId, change, readable) : change))
      if (!(await connection.drained())) return false
      at = sequence
    }
    return true
  }

  /** Handles a change of another process, or of a transaction of this one. */
  #heard(payload: string | null): void {
    if (payload === null) {
      for (const id of this.#organisations.keys()) void this.#read(id)
      return
    }
    const [id = '', sequence] = payload.split(' ')
    if (Number(sequence) > (this.#organisations.get(id)?.cursor ?? Infinity)) void this.#read(id)
  }

  /** Sends the next change without reading it again; an early one waits for those before it. */
  #deliver(organisationId: string, change: ChatChange): void {
    const organisation = this.#organisations.get(organisationId)
    if (!organisation || change.sequence <= organisation.cursor) return
    if (organisation.cursor === Infinity) return
    // Read again for external people, with the incidents that they may read.
    const members = [...(organisation.rooms.get(change.roomId) ?? [])]
    if (activitiesOf(change).length > 0 && members.some(({ connection }) => connection.isExternal))
      return void this.#read(organisationId)
    organisation.early.set(change.sequence, change)
    this.#sendEarly(organisation)
    if (organisation.early.size > 0) void this.#read(organisationId)
  }

  #sendEarly(organisation: Organisation): void {
    for (;;) {
      const next = organisation.early.get(organisation.cursor + 1)
      if (!next) break
      this.#dispatch(organisation, next)
      organisation.cursor += 1
      organisation.early.delete(organisation.cursor)
    }
    for (const sequence of organisation.early.keys())
      if (sequence <= organisation.cursor) organisation.early.delete(sequence)
  }

  /** Reads and sends the changes after the last one sent. */
  async #read(organisationId: string): Promise<void> {
    const organisation = this.#organisations.get(organisationId)
    if (!organisation || organisation.cursor === Infinity) return
    if (organisation.reading !== 'no') return void (organisation.reading = 'again')
    try {
      do {
        organisation.reading = 'running'
        while (await this.#readOnce(organisationId, organisation));
      } while ((organisation.reading as Organisation['reading']) === 'again')
    } catch (error) {
      this.#onError(error)
    } finally {
      organisation.reading = 'no'
    }
  }

  /** Returns whether there may be more changes. */
  async #readOnce(organisationId: string, organisation: Organisation): Promise<boolean> {
    const after = organisation.cursor
    const { changes, sequence, head, readable } = await this.#inside(organisationId, async (db) => {
      const upTo = await findHead(db)
      if (upTo <= after) return { changes: [], sequence: after, head: upTo, readable: NONE }
      const page = await readChanges(db, 'everything', { after, upTo, limit: CHANGES_MAX })
      return { ...page, head: upTo, readable: await readableBy(db, externalsOf(organisation), page.changes) }
    })
    // Some changes may have been sent from memory meanwhile.
    for (const change of changes)
      if (change.sequence > organisation.cursor) this.#dispatch(organisation, change, readable)
    organisation.cursor = Math.max(organisation.cursor, sequence)
    this.#sendEarly(organisation)
    return sequence < head
  }

  /** External people receive no id of an incident outside of `readable`. */
  #dispatch(organisation: Organisation, change: ChatChange, readable = NONE): void {
    const { roomId, sequence } = change
    if (change.kind === 'members') {
      const leaving = change.members.filter(({ left }) => left)
      for (const one of leaving) this.#dismiss(organisation, { ...change, members: [one] })
      for (const { user_id, left } of change.members)
        for (const member of left ? [] : (organisation.members.get(user_id) ?? []))
          this.#enter(organisation, member, roomId)
    }
    const members = [...(organisation.rooms.get(roomId) ?? [])]
    const frame = frameOf(change)
    const namesIncidents = activitiesOf(change).length > 0
    for (const member of members) {
      const { isExternal, userId } = member.connection
      const own = namesIncidents && isExternal ? frameOf(shownTo(userId, change, readable)) : frame
      push(member, sequence, own)
    }
    if (change.kind === 'removed')
      for (const member of organisation.rooms.get(roomId) ?? []) this.#exit(organisation, member, roomId)
  }

  /** Tells a person that they have left, and stops sending them the room. */
  #dismiss(organisation: Organisation, change: ChatChange & { kind: 'members' }): void {
    const frame = frameOf(change)
    for (const member of organisation.members.get(change.members[0]!.user_id) ?? []) {
      this.#exit(organisation, member, change.roomId)
      if (member.waiting) member.left.add(change.roomId)
      push(member, change.sequence, frame)
    }
  }

  #signal(signal: Signal): void {
    this.#bus.publish('signals', JSON.stringify(signal))
  }

  #receive(signal: Signal): void {
    const { organisationId } = signal
    if (signal.kind === 'presence') return this.#presence.heard(signal)
    const organisation = this.#organisations.get(organisationId)
    if (!organisation) return
    if (signal.kind === 'thread') return this.#sendThread(organisation, signal)
    const { roomId, userId } = signal
    if (signal.kind !== 'read') {
      if (signal.kind === 'own') return this.#sendOwn(organisation, signal)
      const frame = frameOf({ type: 'chat-typing', roomId, userId })
      for (const { connection, waiting } of organisation.rooms.get(roomId) ?? [])
        if (waiting === null && connection.userId !== userId) connection.send(frame)
      return
    }
    const frame = frameOf({ type: 'chat-read', roomId, userId, sequence: signal.sequence })
    for (const id of new Set([userId, ...signal.authors]))
      for (const member of organisation.members.get(id) ?? [])
        if (member.waiting === null && member.rooms.has(roomId)) member.connection.send(frame)
  }

  #sendOwn({ members }: Organisation, { roomId, userId }: { roomId: string; userId: string }): void {
    for (const { connection, waiting } of members.get(userId) ?? [])
      if (waiting === null) connection.send(frameOf({ type: 'chat-own', roomId }))
  }

  #sendThread({ members }: Organisation, signal: Signal & { kind: 'thread' }): void {
    const { roomId, threadId, userIds, isUnread } = signal
    const frame = frameOf({ type: 'chat-thread', roomId, threadId, isUnread })
    for (const id of userIds)
      for (const { connection, waiting, rooms } of members.get(id) ?? [])
        if (waiting === null && rooms.has(roomId)) connection.send(frame)
  }

  #local(): Map<string, string[]> {
    return new Map(Array.from(this.#organisations, ([id, { members }]) => [id, [...members.keys()]]))
  }
}

/** External people with an open page here. */
const externalsOf = ({ members }: Organisation): string[] =>
  [...members].flatMap(([userId, mine]) =>
    [...mine].some(({ connection }) => connection.isExternal) ? [userId] : [],
  )

const frameOf = (message: ChatChange | ChatSignal): string => JSON.stringify(message)

function push(member: Member, sequence: number, frame: string): void {
  if (member.waiting) member.waiting.push({ sequence, frame })
  else if (sequence > member.from) member.connection.send(frame)
}
