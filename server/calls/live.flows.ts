import { setImmediate } from 'node:timers/promises'

import * as z from 'zod/mini'

import { callsAccess } from '#contract/calls/access.ts'
import { callCan } from '#contract/calls/rules.ts'
import {
  LowerHand,
  type CallFrame,
  CallMessage,
  type IncomingCall,
  MediaState,
  SIGN_EVERY,
  SIGN_LIFE,
} from '#contract/calls/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { listPeople } from '#server/chat/messages.store.ts'
import { lockChat } from '#server/chat/heads.store.ts'
import { clock, MINUTE, SECOND } from '#server/kit/core/clock.ts'
import { afterCommit, type Database, type EventActor, type OrgDb, unitOf } from '#server/kit/database/db.ts'
import type { Bus } from '#server/kit/events/bus.ts'
import type { CallsPresence, LiveConnection, LiveFeed } from '#server/kit/live/feed.ts'

import { leaveCalls, missCall } from './leaving.flows.ts'
import {
  deleteProcesses,
  findCall,
  findRoleInCall,
  listAbandoned,
  listOverdue,
  listRings,
  listVouched,
  type Ring,
  updateProcess,
  upsertProcess,
} from './store.ts'

/** A page in a call that is assigned to this process. */
interface Page {
  readonly organisationId: string
  readonly callId: string
  readonly participantId: string
  readonly userId: string
  /** Time of its last heartbeat. */
  seen: number
  /** The page's socket; null before its first heartbeat here, and while disconnected. */
  client: Client | null
  /** State of its microphone and camera, once it has sent one. */
  media: MediaState | null
  /** Frames that wait for a socket, with their total length. */
  readonly waiting: string[]
  waitingLength: number
}
interface Client {
  readonly connection: LiveConnection
  readonly pages: Set<Page>
  /** Ringing calls sent to the page, with the time at which each stops. */
  rung: Map<string, string>
  /** True while the page waits for the list of all ringing calls. */
  asks: boolean
  /** Messages that wait for a lookup; null without one. */
  behind: CallMessage[] | null
  isGone: boolean
}
interface Organisation {
  readonly clients: Set<Client>
  rings: { readonly userId: string; readonly incoming: IncomingCall }[]
  reading: 'no' | 'running' | 'again'
}

const at = { organisationId: z.string(), callId: z.string(), process: z.string() }
const Said = z.discriminatedUnion('kind', [
  z.object({ ...at, kind: z.literal('signal'), from: z.string(), to: z.string(), data: z.unknown() }),
  z.object({ ...at, kind: z.literal('media'), participantId: z.string(), media: MediaState }),
  // A page has connected to that process.
  z.object({ ...at, kind: z.literal('here'), participantId: z.string() }),
])
type Said = z.infer<typeof Said>

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'calls' }
/** Grace period after the start and after a database outage, in which pages may return before others are removed. */
const RETURN_WITHIN = 8 * SECOND
/**
 * Time after the start in which a single process looks for pages and rings of its previous run; rings do not last
 * longer.
 */
const LOOK_BACK = MINUTE
/** Characters that wait for a page without a socket. */
const WAITING_MAX = 512 * 1_024
/** Delay of a sweep from which on the process itself was stopped and received nothing. */
const ASLEEP_AFTER = 3 * SECOND

/**
 * Calls on the live socket (decision 046). Pages in a call send heartbeats, which the receiving process holds in
 * memory. Signals go from page to page, through the bus between processes; rings are read again with each event of a
 * call.
 */
export class CallsFeed implements LiveFeed, CallsPresence {
  readonly access = callsAccess
  readonly processId = crypto.randomUUID()
  readonly #calls = new Map<string, Map<string, Page>>()
  readonly #clients = new Map<LiveConnection, Client>()
  readonly #organisations = new Map<string, Organisation>()
  readonly #database: Database
  readonly #bus: Bus
  readonly #isAlone: boolean
  readonly #onError: (error: unknown) => void
  readonly #unsubscribe: () => void
  readonly #timer: NodeJS.Timeout
  readonly #startedAt = clock.now()
  /** Start of the time without database failures: during an outage no heartbeats were stored. */
  #answersSince = this.#startedAt
  #sweptAt = performance.now()
  /** End times of this process's rings. */
  #ringsEnd: number[] = []
  #leasedAt = -Infinity
  #lookedAt = -Infinity
  #sweeping: Promise<void> | null = null

  constructor(parts: {
    database: Database
    bus: Bus
    /** True without another process. */
    isAlone: boolean
    onError: (error: unknown) => void
  }) {
    this.#database = parts.database
    this.#bus = parts.bus
    this.#isAlone = parts.isAlone
    this.#onError = parts.onError
    this.#unsubscribe = parts.bus.subscribe('calls', (payload) => {
      if (payload !== null) this.#receive(Said.parse(JSON.parse(payload)))
    })
    this.#timer = setInterval(() => void this.sweep().catch(this.#onError), SECOND).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#unsubscribe()
    await this.#sweeping?.catch(() => undefined)
    this.#organisations.clear()
    this.#clients.clear()
    this.#calls.clear()
  }

  async join(connection: LiveConnection): Promise<void> {
    const client = this.#client(connection)
    const { organisationId } = connection
    const organisation = this.#organisations.get(organisationId) ?? {
      clients: new Set(),
      rings: [],
      reading: 'no',
    }
    this.#organisations.set(organisationId, organisation)
    organisation.clients.add(client)
    if (organisation.clients.size === 1) await this.#read(organisationId)
    // A running read notifies everybody at its end.
    else if (organisation.reading === 'no') this.#ring(client, organisation)
  }

  leave(connection: LiveConnection): void {
    const client = this.#clients.get(connection)
    if (!client) return
    client.isGone = true
    for (const page of client.pages) page.client = null
    this.#clients.delete(connection)
    const organisation = this.#organisations.get(connection.organisationId)
    organisation?.clients.delete(client)
    if (organisation?.clients.size === 0) this.#organisations.delete(connection.organisationId)
  }

  ended(connection: LiveConnection): void {
    const pages = [...(this.#clients.get(connection)?.pages ?? [])]
    void this.#leave(pages, 'left').catch(this.#onError)
  }

  hear(connection: LiveConnection, message: unknown): boolean {
    const read = z.safeParse(CallMessage, message)
    if (read.success) this.#take(this.#client(connection), read.data)
    return read.success
  }

  noted(organisationId: string, nouns: ReadonlySet<string>): void {
    const rings = this.#organisations.get(organisationId)?.rings.length ?? 0
    if (nouns.has('calls') || (rings > 0 && nouns.has('rooms'))) void this.#read(organisationId)
  }

  joined(db: OrgDb, page: Pick<Page, 'callId' | 'participantId' | 'userId'>): void {
    const { organisationId } = unitOf(db)
    afterCommit(db, () => void this.#hold({ ...page, organisationId }))
  }

  rings(db: OrgDb, until: number): void {
    afterCommit(db, () => void this.#ringsEnd.push(until))
  }

  /** Removes pages that have been silent, here and where a process has died, and ends overdue rings. */
  async sweep(): Promise<void> {
    if (this.#sweeping) return this.#sweeping
    this.#sweeping = this.#sweepOnce()
    try {
      await this.#sweeping
    } finally {
      this.#sweeping = null
    }
  }

  async #sweepOnce(): Promise<void> {
    const pages = [...this.#calls.values()].flatMap((call) => [...call.values()])
    // Heartbeats that arrived while the process was stopped are handled after this.
    const asleep = performance.now() - this.#sweptAt
    this.#sweptAt = performance.now()
    if (asleep > ASLEEP_AFTER) for (const page of pages) page.seen += asleep
    // A busy process runs timers before pending socket data.
    await setImmediate()
    const now = clock.now()
    await this.#leave(
      pages.filter(({ seen }) => seen <= now - SIGN_LIFE),
      'lost',
    )
    try {
      await this.#lookAround(now)
    } catch (error) {
      this.#answersSince = clock.now()
      throw error
    }
  }

  /** Renews this process's lease, and finds pages and rings that other processes left. */
  async #lookAround(now: number): Promise<void> {
    if (this.#calls.size > 0 && now - this.#leasedAt >= SIGN_EVERY) {
      await upsertProcess(this.#database.directory, this.processId, clock.timestamp())
      this.#leasedAt = now
    }
    const isOver = (until: number) => until <= now
    const looksBack = !this.#isAlone || now - this.#startedAt < LOOK_BACK
    if (this.#ringsEnd.some(isOver) || (looksBack && now - this.#lookedAt >= SIGN_EVERY)) {
      this.#lookedAt = now
      await this.#sweepOthers(now)
      this.#ringsEnd = this.#ringsEnd.filter((until) => !isOver(until))
    }
  }

  async #sweepOthers(now: number): Promise<void> {
    const since = new Date(now - SIGN_LIFE).toISOString()
    const { abandoned, overdue } = await this.#database.withProvider(SYSTEM, async (db) => {
      await deleteProcesses(db, new Date(now - MINUTE).toISOString())
      return {
        abandoned: now - this.#answersSince < RETURN_WITHIN ? [] : await listAbandoned(db, since),
        overdue: await listOverdue(db, new Date(now).toISOString()),
      }
    })
    const pages = Map.groupBy(abandoned, ({ callId, processId }) => `${callId} ${processId}`)
    for (const gone of pages.values()) {
      const { organisationId, callId, processId } = gone[0]!
      const participantIds = gone.map(({ participantId }) => participantId)
      const which = { callId, participantIds, processId }
      await this.#inside(organisationId, (db) => leaveCalls(db, which, 'lost')).catch(this.#onError)
    }
    for (const { organisationId, callId } of overdue)
      await this.#inside(organisationId, async (db) => {
        await lockChat(db)
        const call = await findCall(db, callId)
        if (call) await missCall(db, call, new Date(now).toISOString())
      }).catch(this.#onError)
  }

  #inside<T>(organisationId: string, work: (db: OrgDb) => Promise<T>): Promise<T> {
    return this.#database.withOrganisation({ organisationId, actor: () => SYSTEM }, work)
  }

  /** Removes pages from their calls, unless another process has them by now. */
  async #leave(pages: readonly Page[], how: 'left' | 'lost'): Promise<void> {
    for (const [callId, gone] of Map.groupBy(pages, (page) => page.callId)) {
      const participantIds = gone.map(({ participantId }) => participantId)
      const which = { callId, participantIds, processId: this.processId }
      await this.#inside(gone[0]!.organisationId, (db) => leaveCalls(db, which, how))
      for (const page of gone) this.#release(page)
    }
  }

  #client(connection: LiveConnection): Client {
    const known = this.#clients.get(connection)
    if (known) return known
    const client: Client = {
      connection,
      pages: new Set(),
      rung: new Map(),
      asks: false,
      behind: null,
      isGone: false,
    }
    this.#clients.set(connection, client)
    return client
  }

  #page({ callId, participantId }: { callId: string; participantId: string }): Page | undefined {
    return this.#calls.get(callId)?.get(participantId)
  }

  #hold(given: Pick<Page, 'organisationId' | 'callId' | 'participantId' | 'userId'>): Page {
    const known = this.#page(given)
    if (known) {
      known.seen = clock.now()
      return known
    }
    // The first page in a call needs a lease at once.
    if (this.#calls.size === 0) this.#leasedAt = -Infinity
    const page: Page = {
      ...given,
      seen: clock.now(),
      client: null,
      media: null,
      waiting: [],
      waitingLength: 0,
    }
    const call = this.#calls.get(page.callId) ?? new Map<string, Page>()
    this.#calls.set(page.callId, call.set(page.participantId, page))
    return page
  }

  #release(page: Page): void {
    page.client?.pages.delete(page)
    const call = this.#calls.get(page.callId)
    if (call?.get(page.participantId) === page) call.delete(page.participantId)
    if (call?.size === 0) this.#calls.delete(page.callId)
  }

  /** In the client's order: messages after a heartbeat with a lookup wait for it. */
  #take(client: Client, message: CallMessage): void {
    if (message.type === 'call-rings') return this.#tellRings(client)
    if (client.behind) return void client.behind.push(message)
    if (message.type === 'call-here') return this.#hearSign(client, message)
    const speaker = message.type === 'call-signal' ? message.from : message.participantId
    const page = this.#page({ callId: message.callId, participantId: speaker })
    if (!page || page.client !== client) return
    const { organisationId, callId } = page
    const said = { organisationId, callId, process: this.processId }
    if (message.type === 'call-signal') {
      if (LowerHand.safeParse(message.data).success) void this.#lowerHand(client, page, message)
      else this.#pass(page, message)
      return
    }
    page.media = message.media
    this.#announce(page)
    this.#publish({ ...said, kind: 'media', participantId: speaker, media: message.media })
  }

  #pass({ organisationId, callId }: Page, { from, to, data }: CallMessage & { type: 'call-signal' }): void {
    if (!this.#deliver({ organisationId, callId }, to, { type: 'call-signal', callId, from, to, data }))
      this.#publish({ organisationId, callId, process: this.processId, kind: 'signal', from, to, data })
  }

  /** Passes on that somebody's hand is to be lowered, from managers of the room only. Pages trust what they receive. */
  #lowerHand(client: Client, page: Page, message: CallMessage & { type: 'call-signal' }): Promise<void> {
    return this.#withLookup(client, async () => {
      const role = await this.#inside(page.organisationId, (db) =>
        findRoleInCall(db, page.callId, page.userId),
      )
      if (role && callCan.end({ role })) this.#pass(page, message)
    })
  }

  #hearSign(client: Client, { callId, participantId }: CallMessage & { type: 'call-here' }): void {
    const { organisationId, userId } = client.connection
    const page = this.#page({ callId, participantId })
    if (!page) return void this.#lookUp(client, { callId, participantId })
    const isIn = page.organisationId === organisationId && page.userId === userId
    if (isIn) this.#bind(client, page)
    say(client, { type: 'call-here', callId, participantId, isIn })
  }

  /** Looks a page up that this process does not know, and assigns it to this process where it is in the call. */
  #lookUp(client: Client, at: { callId: string; participantId: string }): Promise<void> {
    const { organisationId, userId } = client.connection
    return this.#withLookup(client, async () => {
      const isIn = await this.#inside(organisationId, (db) =>
        updateProcess(db, { ...at, userId }, this.processId, clock.timestamp()),
      )
      if (isIn) {
        const page = this.#hold({ ...at, organisationId, userId })
        if (!client.isGone) this.#bind(client, page)
      }
      say(client, { type: 'call-here', ...at, isIn })
    })
  }

  /** Does work that waits for the database. The client's next messages wait for it. */
  async #withLookup(client: Client, work: () => Promise<void>): Promise<void> {
    client.behind = []
    try {
      await work()
    } catch (error) {
      this.#onError(error)
    } finally {
      const { behind } = client
      client.behind = null
      for (const message of behind) this.#take(client, message)
    }
  }

  /** Binds a page to a socket. A new page receives the media states of the others. */
  #bind(client: Client, page: Page): void {
    page.seen = clock.now()
    if (page.client === client) return
    page.client?.pages.delete(page)
    page.client = client
    client.pages.add(page)
    for (const frame of page.waiting.splice(0)) client.connection.send(frame)
    page.waitingLength = 0
    for (const { participantId, media, callId } of this.#calls.get(page.callId)?.values() ?? [])
      if (media && participantId !== page.participantId)
        say(client, { type: 'call-media', callId, participantId, media })
    const { organisationId, callId, participantId } = page
    this.#publish({ kind: 'here', organisationId, callId, participantId, process: this.processId })
  }

  /** Returns false for a recipient that another process may know. */
  #deliver(
    { organisationId, callId }: Pick<Page, 'organisationId' | 'callId'>,
    to: string,
    frame: CallFrame,
  ) {
    const page = this.#page({ callId, participantId: to })
    if (!page || page.organisationId !== organisationId) return false
    if (page.client) {
      say(page.client, frame)
      return true
    }
    const text = JSON.stringify(frame)
    if (page.waitingLength + text.length > WAITING_MAX) return true
    page.waiting.push(text)
    page.waitingLength += text.length
    return true
  }

  #announce({
    organisationId,
    callId,
    participantId,
    media,
  }: Pick<Page, 'organisationId' | 'callId' | 'participantId' | 'media'>) {
    if (!media) return
    for (const page of this.#calls.get(callId)?.values() ?? [])
      if (page.client && page.participantId !== participantId && page.organisationId === organisationId)
        say(page.client, { type: 'call-media', callId, participantId, media })
  }

  #publish(said: Said): void {
    if (!this.#isAlone) this.#bus.publish('calls', JSON.stringify(said))
  }

  #receive(said: Said): void {
    if (said.process === this.processId) return
    if (said.kind === 'signal') {
      const { callId, from, to, data } = said
      this.#deliver(said, to, { type: 'call-signal', callId, from, to, data })
    } else if (said.kind === 'media') this.#announce(said)
    else this.#moved(said)
  }

  /** A page has moved to another process: its waiting frames follow, and media states of pages here are sent again. */
  #moved({ organisationId, callId, participantId }: Said & { kind: 'here' }): void {
    const said = { organisationId, callId, process: this.processId }
    const page = this.#page({ callId, participantId })
    if (page && page.organisationId === organisationId) {
      this.#release(page)
      for (const frame of page.waiting) {
        const { from, to, data } = JSON.parse(frame) as CallFrame & { type: 'call-signal' }
        this.#publish({ ...said, kind: 'signal', from, to, data })
      }
    }
    for (const one of this.#calls.get(callId)?.values() ?? [])
      if (one.media && one.organisationId === organisationId)
        this.#publish({ ...said, kind: 'media', participantId: one.participantId, media: one.media })
  }

  /** Reads rings and participants again after an event of a call. */
  async #read(organisationId: string): Promise<void> {
    const organisation = this.#organisations.get(organisationId)
    if (!organisation) return
    if (organisation.reading !== 'no') return void (organisation.reading = 'again')
    try {
      do {
        organisation.reading = 'running'
        await this.#readOnce(organisationId, organisation)
      } while ((organisation.reading as Organisation['reading']) === 'again')
    } catch (error) {
      this.#onError(error)
    } finally {
      organisation.reading = 'no'
    }
  }

  async #readOnce(organisationId: string, organisation: Organisation): Promise<void> {
    // Pages that join during the read may be missing in its result.
    const known = [...this.#calls.values()]
      .flatMap((call) => [...call.values()])
      .filter((page) => page.organisationId === organisationId)
    const { rings, pages, people } = await this.#inside(organisationId, async (db) => {
      const rings = await listRings(db, clock.timestamp())
      return {
        rings,
        pages: known.length === 0 ? [] : await listVouched(db, this.processId),
        people: await listPeople(db, [...new Set(rings.map(({ by }) => by))]),
      }
    })
    const inCalls = new Set(pages.map(({ callId, participantId }) => `${callId} ${participantId}`))
    for (const page of known) if (!inCalls.has(`${page.callId} ${page.participantId}`)) this.#release(page)
    organisation.rings = incomingOf(rings, people)
    for (const client of organisation.clients) this.#ring(client, organisation)
  }

  /** Sends a client all ringing calls; before its join and during a read, afterwards. */
  #tellRings(client: Client): void {
    client.asks = true
    const organisation = this.#organisations.get(client.connection.organisationId)
    if (organisation?.clients.has(client) && organisation.reading === 'no') this.#ring(client, organisation)
  }

  /** Sends a client the calls that began or stopped ringing. */
  #ring(client: Client, { rings }: Organisation): void {
    const mine = rings.filter(({ userId }) => userId === client.connection.userId)
    if (client.asks) {
      client.asks = false
      const incoming = mine.map((ring) => ring.incoming)
      client.rung = new Map(incoming.map(({ callId, until }) => [callId, until]))
      return say(client, { type: 'call-rings', incoming })
    }
    for (const { incoming } of mine) {
      if (client.rung.get(incoming.callId) === incoming.until) continue
      client.rung.set(incoming.callId, incoming.until)
      say(client, { type: 'call-ring', incoming })
    }
    for (const callId of client.rung.keys()) {
      if (mine.some(({ incoming }) => incoming.callId === callId)) continue
      client.rung.delete(callId)
      say(client, { type: 'call-ring-over', callId })
    }
  }
}

const say = ({ connection }: Client, frame: CallFrame): void => connection.send(JSON.stringify(frame))

/** Calls as the rung people see them. */
function incomingOf(
  rings: readonly Ring[],
  people: readonly NamedPerson[],
): { userId: string; incoming: IncomingCall }[] {
  const named = new Map(people.map((person) => [person.uuid, person]))
  return rings.flatMap(({ userId, by, name, others, ...ring }) => {
    const caller = named.get(by)
    const title = name ?? (others ?? []).map(fullName).join(', ')
    return caller ? [{ userId, incoming: { ...ring, title, by: caller } }] : []
  })
}
