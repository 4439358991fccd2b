import { type Room, type RoomKind, ROOMS_PER_PAGE } from '#contract/chat/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'

import type { ChatProvider } from './provider.ts'
import { attentionOf, listOf, NO_REACH, type Reach, type RoomList } from './rooms.ts'
import { unread } from './unread.ts'

/** Request timeout (foundation §9). */
export const TIMEOUT_MS = 30_000
/** Statuses for a room that does not exist for the caller. */
const CLOSED: ReadonlySet<unknown> = new Set([403, 404])

interface Host {
  readonly provider: () => ChatProvider
  /** Requests in the session. Does not call `take` where the session has ended meanwhile. */
  readonly fetch: <T>(ask: () => Promise<T>, take: (answer: T) => void) => Promise<void>
  readonly learn: (people: readonly NamedPerson[]) => void
  readonly dropped: (id: string) => void
  readonly changed: (topic: `room ${string}` | `list ${RoomKind}`) => void
}

/** The loaded rooms, and the lists of them as far as they are loaded. */
export class LoadedRooms {
  readonly #rooms = new Map<string, Room>()
  readonly #missing = new Set<string>()
  readonly #reaches = new Map<RoomKind, Reach>()
  readonly #lists = new Map<RoomKind, RoomList>()
  readonly #loading = new Map<string, Promise<void>>()
  readonly #host: Host

  constructor(host: Host) {
    this.#host = host
  }

  get = (id: string): Room | undefined => this.#rooms.get(id)

  /** True for a room that does not exist for the caller. */
  isMissing = (id: string): boolean => this.#missing.has(id)

  all = (): Room[] => [...this.#rooms.values()]

  list(kind: RoomKind): RoomList {
    const known = this.#lists.get(kind)
    if (known) return known
    const list = listOf(this.#rooms.values(), kind, this.#reaches.get(kind) ?? NO_REACH)
    this.#lists.set(kind, list)
    return list
  }

  /** Kinds of the lists that were asked for. */
  listedKinds = (): RoomKind[] => [...this.#reaches.keys()]

  /** Loads the first rooms of a list, or retries after a failure. */
  async loadList(kind: RoomKind): Promise<void> {
    const reach = this.#reaches.get(kind)
    if (reach?.status === 'ready' || (reach?.status === 'loading' && reach.isLoadingMore)) return
    await this.#loadPage(kind, { ...NO_REACH, isLoadingMore: true })
  }

  async loadMore(kind: RoomKind): Promise<void> {
    const reach = this.#reaches.get(kind)
    if (!reach || reach.isLoadingMore || reach.last === null) return
    await this.#loadPage(kind, { ...reach, isLoadingMore: true })
  }

  /** Loads a room unless it is loaded, with one request at a time. */
  async load(id: string, ask?: () => Promise<Room>): Promise<void> {
    if (this.#rooms.has(id)) return
    const load = this.#loading.get(id) ?? this.refresh(id, ask)
    this.#loading.set(id, load)
    await load
    if (this.#loading.get(id) === load) this.#loading.delete(id)
  }

  async refresh(id: string, ask = () => this.#host.provider().room(id)): Promise<void> {
    try {
      await this.#host.fetch(ask, (room) => this.put(room))
    } catch (error) {
      if (CLOSED.has((error as { status?: number }).status)) this.drop(id)
    }
  }

  /** Reloads the lists and these rooms, and drops other rooms that did not come back unless the session has ended. */
  async reload(ids: readonly string[], hasEnded: () => boolean, also: Promise<unknown>): Promise<void> {
    const kinds = this.listedKinds()
    const before = new Map(this.#rooms)
    this.#reaches.clear()
    await Promise.all([
      also,
      ...kinds.map((kind) => this.loadList(kind)),
      ...ids.map((id) => this.refresh(id)),
    ])
    if (hasEnded()) return
    for (const [id, room] of before)
      if (this.#rooms.get(id) === room) {
        this.#rooms.delete(id)
        this.#notify(room)
      }
  }

  put(room: Room): void {
    const before = this.#rooms.get(room.id)
    this.#rooms.set(room.id, room)
    this.#missing.delete(room.id)
    const author = room.lastMessage?.author
    this.#host.learn(author ? [...room.people, author] : room.people)
    this.#notify(room, before)
  }

  change(id: string, change: (room: Room) => Room): void {
    const room = this.#rooms.get(id)
    if (!room) return
    const changed = change(room)
    unread.add(attentionOf(changed) - attentionOf(room))
    this.#rooms.set(id, changed)
    this.#notify(changed, room)
  }

  /** Forgets a room, which does not exist for the caller any longer. */
  drop(id: string): void {
    const room = this.#rooms.get(id)
    this.#rooms.delete(id)
    this.#missing.add(id)
    this.#host.dropped(id)
    if (room) {
      unread.add(-attentionOf(room))
      this.#notify(room)
    } else this.#host.changed(`room ${id}`)
  }

  clear(): void {
    for (const one of [this.#rooms, this.#missing, this.#reaches, this.#lists, this.#loading]) one.clear()
  }

  async #loadPage(kind: RoomKind, reach: Reach): Promise<void> {
    this.#setReach(kind, reach)
    const first = reach.status === 'ready' ? this.list(kind).rooms.length : 0
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      await this.#host.fetch(
        () => this.#host.provider().rooms({ kind, first, count: ROOMS_PER_PAGE, signal }),
        ({ items, total }) => {
          for (const room of items) this.put(room)
          const last = first + items.length < total ? (items.at(-1) ?? null) : null
          this.#setReach(kind, { status: 'ready', error: undefined, isLoadingMore: false, last })
        },
      )
    } catch (error) {
      const status = reach.status === 'ready' ? 'ready' : 'failed'
      this.#setReach(kind, { ...reach, status, error, isLoadingMore: false })
    }
  }

  #setReach(kind: RoomKind, reach: Reach): void {
    this.#reaches.set(kind, reach)
    this.#lists.delete(kind)
    this.#host.changed(`list ${kind}`)
  }

  #notify({ id, kind }: Room, before?: Room): void {
    for (const one of new Set([kind, before?.kind ?? kind])) {
      this.#lists.delete(one)
      this.#host.changed(`list ${one}`)
    }
    this.#host.changed(`room ${id}`)
  }
}
