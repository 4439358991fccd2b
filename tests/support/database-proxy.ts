import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

import pg from 'pg'

import type { StartedDatabase } from '#server/kit/database/start-database.ts'

/** A proxy between the product and its database that can cut connections. */
export interface DatabaseProxy {
  /** The database, reached through the proxy. */
  readonly started: StartedDatabase
  /** Closes all connections and refuses new ones, like a stopped server. */
  cut(): Promise<void>
  /** Closes each connection on which the client sends this text, instead of passing it on. */
  cutAt(text: string): void
  restore(): Promise<void>
}

export async function startDatabaseProxy(behind: StartedDatabase): Promise<DatabaseProxy> {
  // pg resolves the settings.
  const { host, port, user, database, password } = new pg.Client(behind.connection)
  const sockets = new Set<Socket>()
  let fatal: string | null = null
  const server = createServer((incoming) => {
    const outgoing = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect({ host, port })
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket)
          incoming.destroy()
          outgoing.destroy()
        })
    }
    incoming.on('data', (bytes) => {
      if (fatal !== null && bytes.includes(fatal)) incoming.destroy()
      else outgoing.write(bytes)
    })
    outgoing.pipe(incoming)
  })
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const own = await listen(0)
  const cut = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    started: {
      ...behind,
      connection: {
        host: '127.0.0.1',
        port: own,
        ...(user !== undefined && { user }),
        ...(database !== undefined && { database }),
        ...(password !== null && { password }),
      },
      stop: async () => {
        if (server.listening) await cut()
        await behind.stop()
      },
    },
    cut,
    cutAt: (text) => {
      fatal = text
    },
    restore: async () => {
      fatal = null
      if (!server.listening) await listen(own)
    },
  }
}
