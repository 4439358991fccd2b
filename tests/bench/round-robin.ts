import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy that gives each connection to the next process, like a load balancer without health checks. */
export interface RoundRobin {
  readonly url: string
  /** Directs further connections of a slot to this address. */
  set(place: number, url: string): void
  close(): Promise<void>
}

export async function startRoundRobin(): Promise<RoundRobin> {
  const ports: number[] = []
  const open = new Set<Socket>()
  let turn = 0
  const server = createServer({ noDelay: true }, (client) => {
    turn += 1
    const target = connect({ host: '127.0.0.1', port: ports[turn % ports.length]!, noDelay: true })
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        // Delivers the remaining bytes first.
        other.end()
      })
      socket.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (place, url) => {
      ports[place] = Number(new URL(url).port)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
