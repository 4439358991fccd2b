import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a receiver got. */
export interface Received {
  readonly delivery: string
  readonly signature: string
  readonly raw: string
  readonly body: any
}
type Reply = (request: Received, response: ServerResponse) => void

/** A receiver of webhooks on this machine; `reply` says what it does, and can be changed. */
export class Receiver {
  readonly received: Received[] = []
  reply: Reply
  readonly #server = createServer((request, response) => void this.#take(request, response))
  #port = 0

  constructor(reply: Reply = (_, response) => void response.end('Thanks')) {
    this.reply = reply
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`
  }
  get types(): string[] {
    return this.received.map(({ body }) => body.type)
  }

  /** Listens, again at the same port after a stop. */
  async start(): Promise<this> {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
    return this
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let raw = ''
    for await (const part of request) raw += String(part)
    const one = {
      delivery: String(request.headers['x-muster-delivery']),
      signature: String(request.headers['x-muster-signature']),
      raw,
      body: JSON.parse(raw),
    }
    this.received.push(one)
    this.reply(one, response)
  }
}
