import type { Socket } from 'node:net'

import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { RawData, WebSocket } from 'ws'
import * as z from 'zod/mini'

import { SIGNAL_MAX } from '#contract/calls/schema.ts'
import { type Access, allows } from '#contract/kit/access.ts'
import { LIVE_BACKLOG_MAX, LIVE_PATH, LiveHello, type LiveMessage } from '#contract/kit/live.ts'

import type { Bus } from '../events/bus.ts'
import type { LiveConnection, LiveFeed } from './feed.ts'
import type { Hint } from './hints.ts'
import { watchHeads } from '../events/heads.ts'
import { textFrame } from './text-frame.ts'
import { clock, HOUR, MINUTE, SECOND } from '../core/clock.ts'
import type { Database, OrgDb } from '../database/db.ts'
import type { Origins } from '../http/origins.ts'
import { Refusal } from '../core/refusal.ts'
import type { Caller, Credential } from '../http/serve.ts'
import type { Tokens } from '../security/tokens.ts'

/** Authenticates the person who opened a socket. */
export type ProveSession = (claims: { organisationId: string; sessionId: string }) => Credential
/** An audience that learns only that something of a noun changed: even an id would reveal that a record exists. */
export interface Hinted {
  readonly hinted: Access
  /** Verbs of events for reads, which are not announced. */
  readonly unsaid: readonly string[]
}
/** Access that a noun's events require. Events of unlisted nouns are not sent. */
export type Audience = { readonly [noun: string]: Access | Hinted }

interface Client {
  readonly socket: WebSocket
  /** The underlying stream of the socket. */
  readonly line: Socket
  readonly caller: Caller
  readonly admittedAt: number
  /** The last sequence sent to the client; null while its backlog is read. */
  cursor: number | null
  alive: boolean
  readonly connection: LiveConnection
  /** Feeds that the client receives. */
  feeds: readonly LiveFeed[]
  readonly budget: Budget
}

interface Row {
  sequence: number
  noun: string
  record: string
  parent: string | null
  verb: string
  externals: string[]
}

export const HELLO_WITHIN = 10 * SECOND
export const PING_EVERY = 30 * SECOND
/** Older sockets must reconnect with a new ticket, so that expired sessions receive nothing more. */
export const SOCKET_LIFE = HOUR
/** The caller's rights changed: the client reconnects with a new ticket and is authorised again. */
export const CLOSE_CHANGED = 4000
export const CLOSE_REFUSED = 4001
/** The configuration changed, on which rights and every screen may depend: clients reload everything. */
export const CLOSE_CONFIGURED = 4002
/** Noun of events about the organisation's configuration. */
const CONFIG_NOUN = 'config-items'
/** True for an event that closes the organisation, which ends all its sessions. */
const isClosing = ({ noun, verb }: Row): boolean =>
  noun === 'organisations' && (verb === 'suspended' || verb === 'deleted')

/**
 * The live socket (design §5). Events are read from the stream in order, so that a client receives each one once, also
 * after a late reconnection and from every process.
 */
export class LiveHub {
  readonly #clients = new Map<string, Set<Client>>()
  readonly #pumping = new Map<string, 'running' | 'again'>()
  readonly #database: Database
  readonly #tokens: Tokens
  readonly #prove: ProveSession
  readonly #audience: Audience
  readonly #origins: Origins
  readonly #feeds: readonly LiveFeed[]
  readonly #onError: (error: unknown) => void
  readonly #onDropped: (reason: string) => void
  readonly #unsubscribe: readonly (() => void)[]
  readonly #pinger: NodeJS.Timeout

  constructor(parts: {
    database: Database
    bus: Bus
    feeds: readonly LiveFeed[]
    tokens: Tokens
    prove: ProveSession
    audience: Audience
    origins: Origins
    onError: (error: unknown) => void
    /** Called for an unknown message of a client, or one of too many. */
    onDropped: (reason: string) => void
  }) {
    this.#database = parts.database
    this.#tokens = parts.tokens
    this.#prove = parts.prove
    this.#audience = parts.audience
    this.#origins = parts.origins
    this.#feeds = parts.feeds
    this.#onError = parts.onError
    this.#onDropped = parts.onDropped
    const streams = parts.bus.subscribe('events', (organisationId) => {
      for (const one of organisationId === null ? this.#clients.keys() : [organisationId])
        void this.#pump(one)
    })
    const configuration = parts.bus.subscribe('configuration', (key) => {
      if (key !== null) this.#closeConfigured()
    })
    const hints = parts.bus.subscribe('hints', (payload) => {
      if (payload !== null) this.#hint(JSON.parse(payload) as Hint)
    })
    const heads = watchHeads({
      database: parts.database,
      table: 'event_heads',
      organisations: () => [...this.#clients.keys()],
      look: (organisationId, head) => {
        const clients = this.#clients.get(organisationId) ?? []
        if ([...clients].some(({ cursor }) => cursor !== null && cursor < head))
          void this.#pump(organisationId)
      },
      onError: parts.onError,
    })
    this.#unsubscribe = [streams, configuration, hints, heads]
    this.#pinger = setInterval(() => this.#ping(), PING_EVERY).unref()
  }

  /** Registers the socket's route below the API base. */
  register(app: FastifyInstance, base: string): void {
    void app.register(websocket, {
      options: { maxPayload: PAYLOAD_MAX },
      // A broken frame is the client's fault or a lost connection: nothing to act on, so it is logged without a stack
      // at a low level.
      errorHandler: (error, socket, request) => {
        request.log.debug({ reason: error.message }, 'socket closed after an error')
        socket.terminate()
      },
    })
    void app.register(async (scope) => {
      const onRequest = async (request: FastifyRequest) => checkSocketOrigin(this.#origins, request)
      scope.get(base + LIVE_PATH, { websocket: true, onRequest }, (socket, { raw }) =>
        this.#welcome(socket, raw.socket),
      )
    })
  }

  get size(): number {
    let size = 0
    for (const clients of this.#clients.values()) size += clients.size
    return size
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    clearInterval(this.#pinger)
    for (const clients of this.#clients.values()) for (const client of clients) client.socket.close(1001)
    this.#clients.clear()
  }

  #welcome(socket: WebSocket, line: Socket): void {
    const tooLate = setTimeout(() => socket.close(CLOSE_REFUSED, 'no hello'), HELLO_WITHIN)
    socket.once('message', (hello) => {
      clearTimeout(tooLate)
      // Messages that arrive before the hello is answered.
      const early: RawData[] = []
      const keep = (data: RawData) => void (early.length < EARLY_MAX && early.push(data))
      socket.on('message', keep)
      this.#admit({ socket, line }, textOf(hello))
        .then(async (admitted) => {
          socket.off('message', keep)
          if (!admitted) return
          const { client } = admitted
          for (const data of early) this.#hear(client, data)
          socket.on('message', (data) => this.#hear(client, data))
          await Promise.all(client.feeds.map((feed) => feed.join(client.connection, admitted.hello)))
        })
        .catch((error: unknown) => {
          socket.close(CLOSE_REFUSED, 'refused')
          if (!(error instanceof Error && 'status' in error)) this.#onError(error)
        })
    })
    socket.once('close', () => clearTimeout(tooLate))
  }

  /** Passes a client's message to its feed. Drops unknown and excessive messages. */
  #hear({ connection, feeds, budget }: Client, data: RawData): void {
    const bytes = Buffer.isBuffer(data) ? data.length : Infinity
    if (bytes > MESSAGE_MAX) return this.#onDropped('too large')
    if (!budget.take(bytes)) return this.#onDropped('too much')
    const message = parse(textOf(data))
    if (!feeds.some((feed) => feed.hear?.(connection, message))) this.#onDropped('not understood')
  }

  /** Undefined after a refusal. */
  async #admit(
    { socket, line }: Pick<Client, 'socket' | 'line'>,
    text: string,
  ): Promise<{ client: Client; hello: LiveHello } | undefined> {
    const hello = z.safeParse(LiveHello, parse(text))
    const claims = hello.success ? await this.#tokens.readTicket(hello.data.ticket) : null
    if (!hello.success || !claims || !(await useSocketTicket(this.#database, claims.ticketId))) {
      socket.close(CLOSE_REFUSED, 'refused')
      return undefined
    }
    const { organisationId } = claims
    const credential = this.#prove(claims)
    const caller = await this.#open(credential, async (_, proven) => proven)
    const client = makeClient({ socket, line }, caller)
    const clients = this.#clients.get(organisationId) ?? new Set()
    this.#clients.set(organisationId, clients.add(client))
    socket.on('pong', () => (client.alive = true))
    socket.on('close', () => {
      clients.delete(client)
      for (const feed of client.feeds) feed.leave(client.connection)
      if (clients.size === 0 && this.#clients.get(organisationId) === clients)
        this.#clients.delete(organisationId)
    })
    const { head, missed } = await this.#open(credential, async (db) => {
      const newest = await db.selectFrom('event_heads').select('sequence').executeTakeFirst()
      const after = hello.data.after
      return {
        head: newest?.sequence ?? 0,
        missed: after === null ? [] : await readEvents(db, after, LIVE_BACKLOG_MAX + 1),
      }
    })
    const upTo = Math.max(head, missed.at(-1)?.sequence ?? 0)
    if (missed.length > LIVE_BACKLOG_MAX) say(client, { type: 'reset', sequence: head })
    else for (const row of missed.filter((one) => !isClosing(one))) this.#tell(client, new News(row))
    // An open session began after the organisation was reopened.
    if (missed.some(isClosing)) await this.#open(credential, async () => {})
    say(client, { type: 'ready', sequence: missed.length > LIVE_BACKLOG_MAX ? head : upTo })
    client.cursor = missed.length > LIVE_BACKLOG_MAX ? head : upTo
    void this.#pump(organisationId)
    if (isOpen(client)) client.feeds = this.#feeds.filter(({ access }) => allows(access, caller))
    return { client, hello: hello.data }
  }

  #open<T>(credential: Credential, work: (db: OrgDb, caller: Caller) => Promise<T>): Promise<T> {
    let caller: Caller | undefined
    return this.#database.withOrganisation(
      {
        organisationId: credential.organisationId,
        lookup: credential.lookup,
        actor: (row) => {
          caller = credential.caller(row)
          return { kind: caller.kind, id: caller.id, name: caller.name }
        },
      },
      (db) => work(db, caller!),
    )
  }

  #closeConfigured(): void {
    for (const clients of this.#clients.values())
      for (const { socket } of clients) socket.close(CLOSE_CONFIGURED, 'configured')
  }

  async #pump(organisationId: string): Promise<void> {
    if (!this.#clients.has(organisationId)) return
    if (this.#pumping.has(organisationId)) return void this.#pumping.set(organisationId, 'again')
    try {
      do {
        this.#pumping.set(organisationId, 'running')
        while ((await this.#pumpOnce(organisationId)) === LIVE_BACKLOG_MAX);
      } while (this.#pumping.get(organisationId) === 'again')
    } catch (error) {
      this.#onError(error)
    } finally {
      this.#pumping.delete(organisationId)
    }
  }

  async #pumpOnce(organisationId: string): Promise<number> {
    const ready = [...(this.#clients.get(organisationId) ?? [])].filter((client) => client.cursor !== null)
    if (ready.length === 0) return 0
    const from = Math.min(...ready.map((client) => client.cursor!))
    const rows = await this.#database.withOrganisation(
      { organisationId, actor: () => ({ kind: 'system', id: null, name: 'live' }) },
      (db) => readEvents(db, from, LIVE_BACKLOG_MAX),
    )
    const nouns = new Set(rows.map(({ noun }) => noun))
    for (const feed of this.#feeds) feed.noted(organisationId, nouns)
    const began = performance.now()
    this.#tellAll(ready, rows)
    // Sending to hundreds blocks this thread, so the next round waits for as long and lets requests run.
    await clock.wait(performance.now() - began)
    return rows.length
  }

  #tellAll(clients: readonly Client[], rows: readonly Row[]): void {
    const isOneWrite = rows.length > 1
    if (isOneWrite) for (const { line } of clients) line.cork()
    try {
      for (const row of rows) {
        const news = new News(row)
        for (const client of clients) {
          if (client.cursor! >= row.sequence) continue
          client.cursor = row.sequence
          this.#tell(client, news)
        }
      }
    } finally {
      if (isOneWrite) for (const { line } of clients) line.uncork()
    }
  }

  /** Tells the audience of a noun that a record changed without an event. The sequence stays. */
  #hint({ organisationId, noun, record }: Hint): void {
    for (const client of this.#clients.get(organisationId) ?? []) {
      const { caller, cursor } = client
      if (cursor === null) continue
      const row = { sequence: cursor, noun, record, verb: HINT.verb, parent: HINT.parent, externals: [] }
      const text = this.#textFor(caller, new News(row))
      if (text !== undefined) client.connection.send(text)
    }
  }

  #tell(client: Client, news: News): void {
    const { caller } = client
    const { row } = news
    const endsSession = row.noun === 'sessions' && row.verb === 'ended' && row.record === caller.sessionId
    if (endsSession || isClosing(row)) {
      say(client, { type: 'ended' })
      for (const feed of client.feeds) feed.ended?.(client.connection)
      return client.socket.close(1000, 'ended')
    }
    // The next socket requests the events that are not sent now.
    if (clock.now() - client.admittedAt > SOCKET_LIFE) return client.socket.close(CLOSE_CHANGED, 'expired')
    if (row.noun === CONFIG_NOUN) return client.socket.close(CLOSE_CONFIGURED, 'configured')
    const text = this.#textFor(caller, news)
    if (text !== undefined) client.connection.send(text)
    if (row.noun === 'users' && row.record === caller.id) client.socket.close(CLOSE_CHANGED, 'changed')
  }

  /** The text of an event for a caller; undefined for one that they do not receive. */
  #textFor(caller: Caller, news: News): string | undefined {
    const { row } = news
    // Sessions are private to their user.
    if (row.noun === 'sessions') return row.parent === caller.id ? news.text : undefined
    const audience = this.#audience[row.noun]
    if (!audience) return undefined
    const isHint = 'hinted' in audience
    if (isHint && audience.unsaid.includes(row.verb)) return undefined
    const isConcerned = caller.type === 'INTERNAL' || row.externals.includes(caller.id)
    if (!isConcerned || !allows(isHint ? audience.hinted : audience, caller)) return undefined
    return isHint ? news.hint : news.text
  }

  #ping(): void {
    for (const clients of this.#clients.values()) {
      for (const client of clients) {
        if (!client.alive) client.socket.terminate()
        client.alive = false
        client.socket.ping()
      }
    }
  }
}

/** Refuses pages of other sites. A request without an Origin header does not come from a browser. */
export function checkSocketOrigin(origins: Origins, request: FastifyRequest): void {
  const { origin } = request.headers
  if (origin !== undefined && !origins.includes(origin, request))
    throw new Refusal(403, 'This page may not open the live socket.')
}

/** Uses up a socket ticket. Returns false for a used one, in any process. */
export async function useSocketTicket({ directory }: Database, ticketId: string): Promise<boolean> {
  const now = clock.now()
  const { numAffectedRows } = await sql`
    with forgotten as (
      delete from used_socket_tickets where used_timestamp < ${new Date(now - 2 * MINUTE).toISOString()}
    )
    insert into used_socket_tickets (id, used_timestamp) values (${ticketId}, ${new Date(now).toISOString()})
    on conflict do nothing`.execute(directory)
  return numAffectedRows === 1n
}

/** Placeholder fields of a hint. */
export const HINT = { record: '', verb: 'changed', parent: null } as const

/** An event with its texts, which are serialised once for all recipients. */
class News {
  readonly row: Row
  #text: string | undefined
  #hint: string | undefined

  constructor(row: Row) {
    this.row = row
  }

  get text(): string {
    return (this.#text ??= textOfEvent(this.row))
  }

  get hint(): string {
    return (this.#hint ??= textOfEvent({ ...this.row, ...HINT }))
  }
}

const textOfEvent = ({ sequence, noun, record, verb, parent }: Row): string =>
  JSON.stringify({ type: 'event', sequence, noun, record, verb, parent } satisfies LiveMessage)

/** Limit of a message: a signal with its envelope. */
const MESSAGE_MAX = SIGNAL_MAX + 1_024
/** Limit beyond which the socket is closed unread. */
const PAYLOAD_MAX = 4 * MESSAGE_MAX
/** Messages that may wait for the answer to a hello. */
const EARLY_MAX = 200

/** Rate limit of a client's messages: allows bursts, such as the ICE candidates for eleven peers, but not for long. */
class Budget {
  static readonly #MOST = { messages: 1_000, bytes: 4 * 1_024 * 1_024 }
  static readonly #PER_SECOND = { messages: 100, bytes: 256 * 1_024 }
  #messages = Budget.#MOST.messages
  #bytes = Budget.#MOST.bytes
  #at = clock.now()

  take(bytes: number): boolean {
    const seconds = Math.max(0, clock.now() - this.#at) / SECOND
    this.#at = clock.now()
    this.#messages = Math.min(Budget.#MOST.messages, this.#messages + seconds * Budget.#PER_SECOND.messages)
    this.#bytes = Math.min(Budget.#MOST.bytes, this.#bytes + seconds * Budget.#PER_SECOND.bytes)
    if (this.#messages < 1 || this.#bytes < bytes) return false
    this.#messages -= 1
    this.#bytes -= bytes
    return true
  }
}

function makeClient({ socket, line }: Pick<Client, 'socket' | 'line'>, caller: Caller): Client {
  const part = { socket, line, caller, admittedAt: clock.now() }
  const connection = connectionOf(part)
  return { ...part, cursor: null, alive: true, connection, feeds: [], budget: new Budget() }
}

const isOpen = ({ socket }: Pick<Client, 'socket'>): boolean => socket.readyState === socket.OPEN

/** Bytes buffered for a slow client. Beyond that it has to reconnect and catch up. */
const WAITING_MAX = 8 * 1024 * 1024
/** The connection of a client, as feeds use it. */
const connectionOf = (client: Pick<Client, 'socket' | 'line' | 'caller' | 'admittedAt'>): LiveConnection => ({
  userId: client.caller.id,
  organisationId: client.caller.organisation.id,
  isExternal: client.caller.type === 'EXTERNAL',
  send(text) {
    const { socket, line, admittedAt } = client
    if (!isOpen(client)) return
    if (clock.now() - admittedAt > SOCKET_LIFE) return socket.close(CLOSE_CHANGED, 'expired')
    if (socket.bufferedAmount > WAITING_MAX) return socket.terminate()
    line.write(textFrame(text))
  },
  async drained() {
    while (isOpen(client) && client.socket.bufferedAmount > 0) await clock.wait(DRAIN_POLL)
    return isOpen(client)
  },
})
const DRAIN_POLL = 5

/** A message as text; the socket is set to deliver single buffers. */
export const textOf = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString('utf8') : '')

export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
const say = (client: Client, message: LiveMessage): void => client.socket.send(JSON.stringify(message))
const readEvents = (db: OrgDb, after: number, limit: number): Promise<Row[]> =>
  db
    .selectFrom('events')
    .select(['sequence', 'noun', 'record', 'parent', 'verb', 'externals'])
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute()
