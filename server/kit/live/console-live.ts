import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { WebSocket } from 'ws'
import * as z from 'zod/mini'

import { LIVE_PATH, LiveHello, type LiveMessage } from '#contract/kit/live.ts'

import type { Bus } from '../events/bus.ts'
import {
  checkSocketOrigin,
  CLOSE_CHANGED,
  CLOSE_REFUSED,
  HELLO_WITHIN,
  HINT,
  parse,
  PING_EVERY,
  SOCKET_LIFE,
  textOf,
  useSocketTicket,
} from './live.ts'
import { clock, SECOND } from '../core/clock.ts'
import { type Database, type EventActor, isUuid, PROVIDER_ID, type ProviderDb } from '../database/db.ts'
import type { Origins } from '../http/origins.ts'
import type { Tokens } from '../security/tokens.ts'

/** Nouns of the console, each with the nouns of the event streams that trigger its hints. */
export type ConsoleHints = { readonly [noun: string]: readonly string[] }
/** Stands for every event of the provider's own stream. */
export const PROVIDER_STREAM = 'provider stream'

interface Client {
  readonly socket: WebSocket
  readonly sessionId: string
  readonly admittedAt: number
  alive: boolean
}

/** Pause between rounds of hints. Each round costs one transaction, and a query for each open console screen. */
const ROUND_EVERY = 2 * SECOND
/** Events read of a stream without a cursor. */
const FIRST_READ = 20
const LIVE: EventActor = { kind: 'system', id: null, name: 'live' }

/**
 * The live socket of the provider's console. Staff receive hints only: nouns that may have changed, without an id, an
 * organisation or a number (decision 035).
 */
export class ConsoleLiveHub {
  readonly #clients = new Set<Client>()
  /** Newest sequence read of each stream since the first client connected. */
  readonly #cursors = new Map<string, number>()
  /** Streams that have grown since the last round. */
  readonly #grown = new Set<string>()
  /** True after lost notifications: everything may have changed. */
  #isGap = false
  #round: NodeJS.Timeout | undefined
  readonly #parts: ConstructorParameters<typeof ConsoleLiveHub>[0]
  readonly #unsubscribe: () => void
  readonly #pinger: NodeJS.Timeout

  constructor(parts: {
    database: Database
    bus: Bus
    tokens: Tokens
    /** Returns those of the staff sessions that are open. */
    openSessions: (db: ProviderDb, ids: readonly string[]) => Promise<string[]>
    hints: ConsoleHints
    origins: Origins
    onError: (error: unknown) => void
  }) {
    this.#parts = parts
    this.#unsubscribe = parts.bus.subscribe('events', (organisationId) => {
      if (this.#clients.size === 0) return
      if (organisationId === null) this.#isGap = true
      else if (isUuid(organisationId)) this.#grown.add(organisationId)
      this.#schedule(0)
    })
    this.#pinger = setInterval(() => this.#ping(), PING_EVERY).unref()
  }

  /** Registers the socket's route below the console's base, after that of organisations, which registers the plugin. */
  register(app: FastifyInstance, base: string): void {
    void app.register(async (scope) => {
      const onRequest = async (request: FastifyRequest) => checkSocketOrigin(this.#parts.origins, request)
      scope.get(base + LIVE_PATH, { websocket: true, onRequest }, (socket) => this.#welcome(socket))
    })
  }

  /** Number of open sockets. */
  get size(): number {
    return this.#clients.size
  }

  close(): void {
    this.#unsubscribe()
    clearInterval(this.#pinger)
    clearTimeout(this.#round)
    for (const { socket } of this.#clients) socket.close(1001)
    this.#clients.clear()
  }

  #welcome(socket: WebSocket): void {
    const tooLate = setTimeout(() => socket.close(CLOSE_REFUSED, 'no hello'), HELLO_WITHIN)
    socket.once('close', () => clearTimeout(tooLate))
    socket.once('message', (hello) => {
      clearTimeout(tooLate)
      this.#admit(socket, textOf(hello)).catch((error: unknown) => {
        socket.close(CLOSE_REFUSED, 'refused')
        this.#parts.onError(error)
      })
    })
  }

  async #admit(socket: WebSocket, text: string): Promise<void> {
    const { tokens, database, openSessions } = this.#parts
    const hello = z.safeParse(LiveHello, parse(text))
    const claims = hello.success ? await tokens.readConsoleTicket(hello.data.ticket) : null
    if (!hello.success || !claims || !(await useSocketTicket(database, claims.ticketId)))
      return socket.close(CLOSE_REFUSED, 'refused')
    const { sessionId } = claims
    const client: Client = { socket, sessionId, admittedAt: clock.now(), alive: true }
    socket.on('pong', () => (client.alive = true))
    socket.on('close', () => this.#leave(client))
    const open = await database.withProvider(LIVE, (db) => openSessions(db, [sessionId]))
    if (open.length === 0) return socket.close(CLOSE_REFUSED, 'refused')
    if (socket.readyState !== socket.OPEN) return
    this.#clients.add(client)
    // A reconnected client may have missed hints, which are not numbered.
    if (hello.data.after !== null) say(client, { type: 'reset', sequence: 0 })
    say(client, { type: 'ready', sequence: 0 })
  }

  #leave(client: Client): void {
    this.#clients.delete(client)
    if (this.#clients.size > 0) return
    this.#cursors.clear()
    this.#grown.clear()
  }

  /** Schedules a round after `delay`, unless one is scheduled. */
  #schedule(delay: number): void {
    this.#round ??= setTimeout(() => {
      this.#runRound()
        .catch(this.#parts.onError)
        .finally(() => {
          this.#round = setTimeout(() => {
            this.#round = undefined
            if (this.#grown.size > 0 || this.#isGap) this.#schedule(0)
          }, ROUND_EVERY).unref()
        })
    }, delay).unref()
  }

  /** Sends clients the hints since the last round, and disconnects those whose session has ended. */
  async #runRound(): Promise<void> {
    const { database, openSessions, hints } = this.#parts
    const grown = [...this.#grown]
    const isGap = this.#isGap
    this.#grown.clear()
    this.#isGap = false
    const clients = [...this.#clients]
    if (clients.length === 0) return
    const { open, nouns } = await database.withProvider(LIVE, async (db) => ({
      open: new Set(
        await openSessions(
          db,
          clients.map(({ sessionId }) => sessionId),
        ),
      ),
      nouns: await this.#newNouns(db, grown),
    }))
    const changed = Object.entries(hints).flatMap(([noun, follows]) =>
      isGap || follows.some((one) => nouns.has(one)) ? [noun] : [],
    )
    for (const client of clients) {
      if (!open.has(client.sessionId)) end(client)
      else if (clock.now() - client.admittedAt > SOCKET_LIFE) client.socket.close(CLOSE_CHANGED, 'expired')
      else for (const noun of changed) say(client, { type: 'event', sequence: 0, noun, ...HINT })
    }
  }

  /** Nouns of unread events in these streams. */
  async #newNouns(db: ProviderDb, streams: readonly string[]): Promise<ReadonlySet<string>> {
    const nouns = new Set<string>()
    if (streams.length === 0) return nouns
    const after = streams.map((id) => this.#cursors.get(id) ?? null)
    const { rows } = await sql<{ id: string; noun: string; newest: number }>`
      select h.organisation_id as id, e.noun, max(e.sequence) as newest
      from unnest(${streams}::uuid[], ${after}::bigint[]) as s (id, after)
      join event_heads h on h.organisation_id = s.id
      join events e on e.organisation_id = s.id and e.sequence > coalesce(s.after, h.sequence - ${FIRST_READ})
      group by 1, 2`.execute(db)
    for (const { id, noun, newest } of rows) {
      nouns.add(noun)
      if (id === PROVIDER_ID) nouns.add(PROVIDER_STREAM)
      this.#cursors.set(id, Math.max(this.#cursors.get(id) ?? 0, newest))
    }
    return nouns
  }

  /** Finds dead connections, and sessions that have expired meanwhile. */
  #ping(): void {
    for (const client of this.#clients) {
      if (!client.alive) client.socket.terminate()
      client.alive = false
      client.socket.ping()
    }
    if (this.#clients.size > 0) this.#schedule(0)
  }
}

const say = ({ socket }: Client, message: LiveMessage): void => {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
}
function end(client: Client): void {
  say(client, { type: 'ended' })
  client.socket.close(1000, 'ended')
}
