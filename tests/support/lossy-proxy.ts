import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy between client and server that drops responses on request. */
export interface LossyProxy {
  readonly url: string
  /** Drops the next response and closes its connection. */
  loseNext(): void
  /** Number of responses dropped. */
  readonly lost: () => number
  close(): Promise<void>
}

export async function startLossyProxy(target: string): Promise<LossyProxy> {
  let losing = false
  let lost = 0
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url: path } = incoming
    const isLost = losing
    losing = false
    const request = forward(new URL(path!, target), { method, headers }, (answer) => {
      if (isLost) {
        answer.resume().once('end', () => {
          lost += 1
          incoming.socket.destroy()
        })
      } else {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      }
    })
    request.once('error', () => incoming.socket.destroy())
    incoming.pipe(request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    loseNext: () => {
      losing = true
    },
    lost: () => lost,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
