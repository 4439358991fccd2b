import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request of the product. */
export interface CarrierRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly raw: string
  readonly body: any
}
/** An answer, or a broken connection after the request was read. */
export type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'break off'

/** A provider of SMS by HTTP and JSON on this machine; `answer` says what it does. */
export class JsonCarrier {
  readonly requests: CarrierRequest[] = []
  readonly #answer: (request: CarrierRequest, before: number) => Answer
  readonly #server = createServer((request, response) => void this.#take(request, response))

  constructor(answer: (request: CarrierRequest, before: number) => Answer) {
    this.#answer = answer
  }

  /** Its address, without a slash at the end. */
  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Requests that name a number. */
  to = (number: string): CarrierRequest[] =>
    this.requests.filter(({ raw, method }) => method !== 'GET' && raw.includes(`"${number}"`))

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let raw = ''
    for await (const part of request) raw += String(part)
    const one = {
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      raw,
      body: raw ? JSON.parse(raw) : undefined,
    }
    const before = this.requests.filter(({ path, raw }) => path === one.path && raw === one.raw).length
    this.requests.push(one)
    const answer = this.#answer(one, before)
    if (answer === 'break off') return void request.socket.destroy()
    response
      .writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers })
      .end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}))
  }
}
