import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message that Twilio accepted. */
export interface Accepted {
  readonly sid: string
  readonly kind: 'Messages' | 'Calls'
  readonly to: string
  readonly from: string
  /** Text of an SMS, instructions of a call. */
  readonly words: string
  /** Address at which the product wants reports; null for none. */
  readonly callback: string | null
  readonly date: Date
  /** In milliseconds of this process's monotonic clock. */
  readonly at: number
}
/** Reaction to a new message: accept, refuse with a status, or accept and break the connection before the response. */
export type Doing =
  | 'accept'
  | 'accept and break off'
  | 'break off'
  | { status: number; message?: string; code?: number }

export const ACCOUNT = 'AC00000000000000000000000000000000'
export const TOKEN = 'not a real token'
export const FROM = '+14165550100'

const PAGE_MAX = 50

/** The part of Twilio's API that the product uses, over HTTP on this machine. */
export class FakeTwilio {
  readonly accepted: Accepted[] = []
  /** Reactions to the next messages to a number, in order; afterwards it accepts. */
  readonly plans = new Map<string, Doing[]>()
  /** Reaction to a message without a plan. */
  otherwise: (kind: Accepted['kind'], to: string) => Doing = () => 'accept'
  /** Called with each message that is accepted. */
  onAccepted: (message: Accepted) => void = () => {}
  /** SMS of people, oldest first. */
  readonly inbound: { sid: string; from: string; to: string; body: string; date: Date }[] = []
  /** States of messages and calls by their ids; queued otherwise. */
  readonly states = new Map<string, { status: string; error_code?: number }>()
  /** Requests by method and kind. */
  readonly asked: string[] = []
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  async start(): Promise<Record<string, string>> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const { port } = this.#server.address() as AddressInfo
    return {
      TWILIO_ACCOUNT_SID: ACCOUNT,
      TWILIO_AUTH_TOKEN: TOKEN,
      TWILIO_FROM: FROM,
      TWILIO_BASE_URL: `http://127.0.0.1:${port}/`,
    }
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  to = (number: string): Accepted[] => this.accepted.filter(({ to }) => to === number)

  /** Records a message as if it had been accepted. */
  accept(
    kind: Accepted['kind'],
    { to, from = FROM, words, callback = null }: Pick<Accepted, 'to' | 'words'> & Partial<Accepted>,
  ) {
    const sid = `${kind === 'Messages' ? 'SM' : 'CA'}${crypto.randomUUID().replaceAll('-', '')}`
    const one = { sid, kind, to, from, words, callback, date: new Date(), at: performance.now() }
    this.accepted.push(one)
    this.onAccepted(one)
    return one
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const say = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    const url = new URL(request.url!, 'http://twilio')
    const path = /^\/2010-04-01\/Accounts\/(\w+)\/(Messages|Calls)(?:\/(\w+))?\.json$/.exec(url.pathname)
    const expected = `Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`
    if (request.headers.authorization !== expected || path?.[1] !== ACCOUNT)
      return void say(401, { code: 20003, message: 'Authenticate', status: 401 })
    const kind = path[2] as Accepted['kind']
    this.asked.push(`${request.method} ${kind}`)
    const sid = path[3]
    if (sid !== undefined) return void say(200, { sid, status: 'queued', ...this.states.get(sid) })
    if (request.method === 'GET' && url.searchParams.has('DateSent>'))
      return void say(200, this.#listInbound(url.searchParams.get('To')!))
    if (request.method === 'GET') return void say(200, this.#list(kind, url))

    let text = ''
    for await (const chunk of request) text += String(chunk)
    const form = new URLSearchParams(text)
    const [to, from] = [form.get('To')!, form.get('From')!]
    const words = form.get(kind === 'Messages' ? 'Body' : 'Twiml')!
    const doing = this.plans.get(to)?.shift() ?? this.otherwise(kind, to)
    if (typeof doing === 'object')
      return void say(doing.status, {
        code: doing.code ?? 20000 + doing.status,
        message: doing.message ?? 'No.',
        status: doing.status,
      })
    const one =
      doing === 'break off'
        ? null
        : this.accept(kind, { to, from, words, callback: form.get('StatusCallback') })
    if (doing !== 'accept') return void request.socket.destroy()
    say(201, shown(one!))
  }

  /** Records an SMS of a person. */
  receive(from: string, body: string, to = FROM) {
    const sid = `SM${crypto.randomUUID().replaceAll('-', '')}`
    const one = { sid, from, to, body, date: new Date() }
    this.inbound.push(one)
    return one
  }

  #listInbound(to: string): object {
    const messages = this.inbound
      .filter((one) => one.to === to)
      .map(({ date, ...one }) => ({
        ...one,
        direction: 'inbound',
        date_created: date.toUTCString().replace('GMT', '+0000'),
      }))
      .toReversed()
    return { messages, next_page_uri: null }
  }

  #list(kind: Accepted['kind'], url: URL): object {
    const { To, From, Page = '0', PageSize = '50' } = Object.fromEntries(url.searchParams)
    const all = this.accepted
      .filter((one) => one.kind === kind && one.to === To && one.from === From)
      .toReversed()
    const size = Math.min(Number(PageSize), PAGE_MAX)
    const first = Number(Page) * size
    const next = new URL(url)
    next.searchParams.set('Page', String(Number(Page) + 1))
    return {
      [kind.toLowerCase()]: all.slice(first, first + size).map(shown),
      next_page_uri: first + size < all.length ? next.pathname + next.search : null,
    }
  }
}

const shown = ({ sid, kind, to, from, words, date }: Accepted) => ({
  sid,
  to,
  from,
  status: 'queued',
  date_created: date.toUTCString().replace('GMT', '+0000'),
  // Twilio does not return the instructions of a call.
  ...(kind === 'Messages' ? { body: words } : {}),
})

/** Twilio's signature, as its documentation has it. */
export function signed(url: string, form: Readonly<Record<string, string>>, token = TOKEN): string {
  const said = Object.keys(form)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => `${name}${form[name]}`)
  return createHmac('sha1', token)
    .update(`${url}${said.join('')}`)
    .digest('base64')
}
