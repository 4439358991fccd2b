import { EventEmitter } from 'node:events'

import pg from 'pg'

import { Parts, partsOf } from './parts.ts'

/**
 * Topics of the bus between processes.
 *
 * - `events`: an organisation's event stream has grown; its id
 * - `chat`: an organisation's chat has changed; its id and the number of the change, separated by a space
 * - `signals`: transient signals that are stored nowhere, as JSON
 * - `calls`: messages between pages in calls, as JSON
 * - `hints`: a record that changed without an event, as JSON
 * - `configuration`: a global configuration value changed; its key. Published within its transaction: such changes are
 * rare and recorded nowhere else
 */
const TOPICS = ['events', 'chat', 'signals', 'calls', 'hints', 'configuration'] as const
export type Topic = (typeof TOPICS)[number]
type Listener = (payload: string | null) => void

/** Notifies all processes. Carries ids only. */
export interface Bus {
  /** Notifies this process immediately, and the others soon. */
  publish(topic: Topic, payload: string): void
  /** Calls the listener with null when notifications may have been lost with the connection. */
  subscribe(topic: Topic, listener: Listener): () => void
  /** State of the connection, and notifications since the start. */
  readonly statistics: () => BusStatistics
  close(): Promise<void>
}
export interface BusStatistics {
  readonly isConnected: boolean
  readonly published: number
  readonly received: number
}

const RECONNECT_MS = 1_000
const channelOf = (topic: Topic) => `muster_${topic}`

/** Pending notifications; of an organisation's stream only the newest. */
class Gathered {
  #next = new Map<string, { topic: Topic; payload: string }>()
  #count = 0

  get isEmpty(): boolean {
    return this.#next.size === 0
  }

  add(topic: Topic, payload: string): void {
    const isStream = topic === 'events' || topic === 'chat'
    const key = isStream ? `${topic} ${payload.split(' ')[0]}` : String((this.#count += 1))
    this.#next.set(key, { topic, payload })
  }

  /** Takes all pending notifications, cut to the size limit of one. */
  take(): { channels: string[]; payloads: string[] } {
    const parts = [...this.#next.values()].flatMap(({ topic, payload }) =>
      partsOf(payload).map((part) => ({ channel: channelOf(topic), part })),
    )
    this.#next = new Map()
    return { channels: parts.map(({ channel }) => channel), payloads: parts.map(({ part }) => part) }
  }
}

/**
 * Notifications of PostgreSQL on a separate connection. Within a writing transaction they would take one lock of the
 * whole server, which halves the commits of all organisations (decision 080). A process that dies between its commit
 * and the notification loses it: subscribers that need every one read the streams themselves (`watchHeads`).
 */
export async function openBus(config: pg.ClientConfig, onError: (error: Error) => void): Promise<Bus> {
  const emitter = new EventEmitter().setMaxListeners(0)
  const gathered = new Gathered()
  const parts = new Parts()
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isSending = false
  let published = 0
  let received = 0

  async function listen(isAgain: boolean): Promise<void> {
    const next = new pg.Client(config)
    next.on('notification', ({ channel, payload, processId }) => {
      const topic = TOPICS.find((one) => channelOf(one) === channel)
      // This process has notified itself already.
      if (!topic || !payload || processId === pidOf(next)) return
      received += 1
      const whole = parts.add(payload)
      if (whole) emitter.emit(topic, whole)
    })
    next.on('error', onError)
    next.on('end', () => {
      if (client === next) client = undefined
      if (!closed) timer = setTimeout(() => void listen(true).catch(onError), RECONNECT_MS)
    })
    await next.connect()
    // Notifications need no durable commit.
    await next.query(
      `set synchronous_commit = off; ${TOPICS.map((topic) => `listen ${channelOf(topic)}`).join('; ')}`,
    )
    client = next
    if (!isAgain) return
    // Notifications during the disconnection are lost.
    parts.clear()
    for (const topic of TOPICS) emitter.emit(topic, null)
  }
  await listen(false)

  let sending = Promise.resolve()
  async function send(): Promise<void> {
    isSending = true
    try {
      while (!gathered.isEmpty) {
        const { channels, payloads } = gathered.take()
        published += channels.length
        await client?.query(
          'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as n (channel, payload)',
          [channels, payloads],
        )
      }
    } catch (error) {
      onError(error as Error)
    } finally {
      isSending = false
    }
  }

  return {
    publish: (topic, payload) => {
      emitter.emit(topic, payload)
      gathered.add(topic, payload)
      if (!isSending) sending = send()
    },
    subscribe: (topic, listener) => {
      emitter.on(topic, listener)
      return () => emitter.off(topic, listener)
    },
    statistics: () => ({ isConnected: client !== undefined, published, received }),
    close: async () => {
      closed = true
      clearTimeout(timer)
      emitter.removeAllListeners()
      // Other processes are told what was published.
      await sending
      await client?.end()
    },
  }
}

/** Process id of the server behind a client, which its types lack. */
const pidOf = (client: pg.Client): number => (client as unknown as { readonly processID: number }).processID
