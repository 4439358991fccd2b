import { EventEmitter } from 'node:events'

import pg from 'pg'

/** Publishes to all processes that an organisation's stream has grown. Carries ids only. */
export interface Bus {
  publish(organisationId: string): void
  /** The listener is called with null when streams may have grown unheard, because the connection was lost. */
  subscribe(listener: (organisationId: string | null) => void): () => void
  close(): Promise<void>
}

/** Within one process: all there is when the database is embedded. */
export function memoryBus(): Bus & { readonly resume: () => void } {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    publish: (organisationId) => void emitter.emit('grown', organisationId),
    resume: () => void emitter.emit('grown', null),
    subscribe: (listener) => {
      emitter.on('grown', listener)
      return () => emitter.off('grown', listener)
    },
    close: async () => void emitter.removeAllListeners(),
  }
}

const RECONNECT_MS = 1_000

/**
 * Across processes on a PostgreSQL server. The notification is sent by `append_events` in the transaction itself, so
 * it cannot be forgotten and cannot come too early; here it is only heard.
 */
export async function postgresBus(config: pg.ClientConfig, onError: (error: Error) => void): Promise<Bus> {
  const local = memoryBus()
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  async function listen(): Promise<void> {
    const next = new pg.Client(config)
    next.on('notification', (message) => message.payload && local.publish(message.payload))
    next.on('error', onError)
    next.on('end', () => {
      if (!closed) timer = setTimeout(() => void listen().catch(onError), RECONNECT_MS)
    })
    await next.connect()
    await next.query('listen muster_events')
    // Notifications during the disconnection are lost.
    if (client) local.resume()
    client = next
  }
  await listen()
  return {
    ...local,
    close: async () => {
      closed = true
      clearTimeout(timer)
      await client?.end()
      await local.close()
    },
  }
}
