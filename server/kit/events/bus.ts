import { EventEmitter } from 'node:events'

import pg from 'pg'

import { Parts, partsOf } from './parts.ts'

/**
 * What processes tell each other.
 *
 * - `events`: an organisation's event stream has grown; its id
 * - `chat`: an organisation's chat has changed; its id and the number of the change, with a space between
 * - `signals`: something of the moment that is stored nowhere, as JSON
 * - `calls`: what pages in calls say to each other, as JSON
 * - `configuration`: a value changed that is configured for all organisations; its key
 */
const TOPICS = ['events', 'chat', 'signals', 'calls', 'configuration'] as const
export type Topic = (typeof TOPICS)[number]
/** What is sent from here, instead of by the transaction that it is about. */
const SENT: readonly Topic[] = ['signals', 'calls']
type Listener = (payload: string | null) => void

/** Notifies all processes. Carries ids only. */
export interface Bus {
  publish(topic: Topic, payload: string): void
  /** The listener is called with null when notifications may have been lost with the connection. */
  subscribe(topic: Topic, listener: Listener): () => void
  close(): Promise<void>
}

/** Within one process: all there is when the database is embedded. */
export function memoryBus(): Bus & { readonly resume: () => void } {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    publish: (topic, payload) => void emitter.emit(topic, payload),
    resume: () => {
      for (const topic of TOPICS) emitter.emit(topic, null)
    },
    subscribe: (topic, listener) => {
      emitter.on(topic, listener)
      return () => emitter.off(topic, listener)
    },
    close: async () => void emitter.removeAllListeners(),
  }
}

const RECONNECT_MS = 1_000
const channelOf = (topic: Topic) => `muster_${topic}`

/**
 * Across processes on a PostgreSQL server. What is stored notifies in its own transaction (`append_events`,
 * `next_chat_sequence`), so that it cannot be forgotten and cannot come too early; here it is only heard. Signals are sent
 * from here.
 */
export async function postgresBus(config: pg.ClientConfig, onError: (error: Error) => void): Promise<Bus> {
  const local = memoryBus()
  const parts = new Parts()
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  async function listen(): Promise<void> {
    const next = new pg.Client(config)
    next.on('notification', ({ channel, payload }) => {
      const topic = TOPICS.find((one) => channelOf(one) === channel)
      const whole = topic && payload && parts.add(payload)
      if (whole) local.publish(topic, whole)
    })
    next.on('error', onError)
    next.on('end', () => {
      if (!closed) timer = setTimeout(() => void listen().catch(onError), RECONNECT_MS)
    })
    await next.connect()
    for (const topic of TOPICS) await next.query(`listen ${channelOf(topic)}`)
    // Notifications during the disconnection are lost.
    if (client) {
      parts.clear()
      local.resume()
    }
    client = next
  }
  await listen()
  // One after the other: a client runs one query at a time.
  let sent = Promise.resolve()
  const notify = async (topic: Topic, payload: string) => {
    if (!closed) await client?.query('select pg_notify($1, $2)', [channelOf(topic), payload])
  }
  return {
    ...local,
    publish: (topic, payload) => {
      if (!SENT.includes(topic)) return local.publish(topic, payload)
      for (const part of partsOf(payload)) sent = sent.then(() => notify(topic, part)).catch(onError)
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      await client?.end()
      await local.close()
    },
  }
}
