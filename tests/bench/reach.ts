import { setTimeout as sleep } from 'node:timers/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Client } from 'pg'

import { freePort } from '../support/nginx.ts'
import { type Product, startProduct } from '../support/product.ts'
import { type Accepted, type Doing, FakeTwilio, FROM, signed } from '../support/twilio.ts'
import { databaseIn, type Person, withClient } from './fixture.ts'
import { furnish, isDone, measureSends, numbersOf, wrongOf } from './mass-send.ts'
import { requestJson } from './measure.ts'
import { absolute, heading, type Result, row } from './report.ts'

const NAME = 'reach'
const PEOPLE = 10_000
const TYPES = ['SMS', 'VOICE_CALL'] as const
const KINDS = { Messages: 'SMS', Calls: 'VOICE_CALL' } as const
type Kind = Accepted['kind']
const PUBLIC_URL = 'https://reach.example.org'
const ANSWERS = [
  { label: 'Safe', tone: 'GOOD' },
  { label: 'Need help', tone: 'ATTENTION' },
]
/** Shares of the messages accepted at which the product is killed. */
const KILLS = [0.1, 0.3, 0.5, 0.7, 0.9]
const PER_SECOND = 300
const END_MS = 300_000

/** A fixed fault of each message, by its number: 5 % fail, half of them at once and half by a report. */
type Fate = 'refused' | 'undelivered' | 'delivered'
function fateOf(kind: Kind, to: string): Fate {
  const n = (Number(to.slice(-5)) + (kind === 'Calls' ? 7 : 0)) % 40
  return n === 0 ? 'refused' : n === 20 ? 'undelivered' : 'delivered'
}
const among = (share: number) => Math.random() < share

/** A carrier with a limit of its own, lost replies, and reports that are late, doubled and in a wrong order. */
class Carrier {
  readonly twilio = new FakeTwilio()
  url = ''
  /** Last answer of each number that the product has acknowledged. */
  readonly answers = new Map<string, number>()
  /** Numbers whose answers and reports are not through yet. */
  readonly #open = new Set<Promise<void>>()
  #window = { second: 0, count: 0 }
  limited = 0

  constructor() {
    this.twilio.otherwise = (kind, to) => this.#react(kind, to)
    this.twilio.onAccepted = (message) => this.#follow(this.#play(message))
  }
  /** Waits until everything that people and carrier do has been done. */
  async end(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open)
  }
  #follow(work: Promise<void>): void {
    this.#open.add(work)
    void work.finally(() => this.#open.delete(work))
  }

  #react(kind: Kind, to: string): Doing {
    const second = Math.floor(performance.now() / 1_000)
    if (second !== this.#window.second) this.#window = { second, count: 0 }
    this.#window.count += 1
    if (this.#window.count > PER_SECOND) {
      this.limited += 1
      return { status: 429, message: 'Too many requests', code: 20429 }
    }
    if (fateOf(kind, to) === 'refused') return { status: 400, message: 'Not allowed here', code: 21408 }
    if (among(0.002)) return 'accept and break off'
    return among(0.002) ? 'break off' : 'accept'
  }

  async #play(message: Accepted): Promise<void> {
    const { kind, to, sid } = message
    const isDelivered = fateOf(kind, to) === 'delivered'
    const last =
      kind === 'Calls' ? (isDelivered ? 'completed' : 'no-answer') : isDelivered ? 'delivered' : 'undelivered'
    const code = last === 'undelivered' ? 30003 : undefined
    this.twilio.states.set(sid, { status: last, ...(code && { error_code: code }) })
    await sleep(among(0.1) ? 2_000 + Math.random() * 8_000 : Math.random() * 500)
    const reports = [kind === 'Calls' ? 'ringing' : 'sent', last]
    if (among(0.1)) reports.reverse()
    if (among(0.1)) reports.push(...reports)
    for (const state of reports) await this.#report(message, state, state === last ? code : undefined)
    if (isDelivered) await this.#answer(message)
  }

  /** Sends a request of Twilio's. Returns the status; null when nobody listens. */
  async #post(address: string, form: Readonly<Record<string, string>>): Promise<number | null> {
    try {
      const response = await fetch(address.replace(PUBLIC_URL, this.url), {
        method: 'POST',
        headers: { 'X-Twilio-Signature': signed(address, form) },
        body: new URLSearchParams(form),
        redirect: 'manual',
      })
      await response.arrayBuffer()
      return response.status
    } catch {
      return null
    }
  }
  /** Reports a state once: a report during a restart is lost. */
  async #report({ kind, sid, callback }: Accepted, state: string, code?: number): Promise<void> {
    const [id, name] =
      kind === 'Messages' ? (['MessageSid', 'MessageStatus'] as const) : (['CallSid', 'CallStatus'] as const)
    await this.#post(callback!, { [id]: sid, [name]: state, ...(code && { ErrorCode: String(code) }) })
  }

  /** A fifth of the people answers, by link, SMS or key; people and carrier repeat what was not acknowledged. */
  async #answer({ kind, to, words, sid }: Accepted): Promise<void> {
    const n = Number(to.slice(-5))
    if (n % 5 !== 0 || (kind === 'Calls') !== (n % 3 === 0)) return
    const answer = n % 2
    const key = String(answer + 1)
    const [address, form] =
      kind === 'Calls'
        ? [/action="([^"]+)"/.exec(words)![1]!, { CallSid: sid, Digits: key }]
        : n % 3 === 1
          ? [`${PUBLIC_URL}/carriers/twilio/sms`, { MessageSid: `IN${sid}`, From: to, To: FROM, Body: key }]
          : [/https:\S+/.exec(words)![0], { answer: String(answer) }]
    for (;;) {
      const status = await this.#post(address, form)
      if (status !== null && status < 400) break
      await sleep(500)
    }
    this.answers.set(to, answer)
    // Some lines deliver twice.
    if (among(0.2)) await this.#post(address, form)
  }
}

interface StoredMessage {
  recipient: string
  channel: string
  state: string
}
const statesOf = (client: Client) =>
  client
    .query<StoredMessage>(`select recipient, channel, state from messages where notification_id is not null`)
    .then(({ rows }) => rows)
const answersOf = (client: Client) =>
  client
    .query<{ phone: string; answer: number }>(
      `select r.phone, a.answer from notification_recipients r join notification_answers a on a.id = r.answer_id`,
    )
    .then(({ rows }) => rows)

/** Asks the product to ask its carrier now, as it does after 30 minutes. */
const makeDue = (client: Client) =>
  client.query(
    `update pgboss.job set start_after = now() where name = 'texts-status' and state in ('created', 'retry')`,
  )

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const began = performance.now()
  while (!(await isTrue())) {
    if (performance.now() - began > END_MS) throw new Error(`${what} took too long`)
    await sleep(500)
  }
}

const ask = (product: Product, { headers }: Person): Promise<{ id: string }> =>
  requestJson({
    url: `${product.url}/api/massNotification?populateNotified=false`,
    method: 'POST',
    headers,
    body: () =>
      JSON.stringify({
        types: TYPES,
        smsMessage: 'Gate 2 is on fire. Are you safe?',
        contactListIds: ['Everybody'],
        question: { answers: ANSWERS },
      }),
  })

/** A question to 10,000 people on two channels, with every fault, and the product killed five times. */
export async function withFaults(): Promise<Result[]> {
  const carrier = new Carrier()
  const port = String(await freePort())
  // The product prints its public address; the carrier and people of this machine call the port.
  const url = `http://127.0.0.1:${port}`
  const settings = { PORT: port, DEMO: '0', PUBLIC_URL, ALLOW_OUTBOX: '1', ...(await carrier.twilio.start()) }
  const folder = await mkdtemp(join(tmpdir(), 'muster-reach-'))
  const start = async (): Promise<Product> => ({ ...(await startProduct(settings, folder)), url })
  let product = await start()
  carrier.url = url
  const expected = KINDS_OF.flatMap((kind) => numbersOf(PEOPLE).map((to) => [kind, to] as const))
  const acceptable = expected.filter(([kind, to]) => fateOf(kind, to) !== 'refused').length
  try {
    const admin = await furnish(product, databaseIn(folder), { people: PEOPLE })
    const began = performance.now()
    await ask(product, admin)
    for (const share of KILLS) {
      while (carrier.twilio.accepted.length < acceptable * share) await sleep(5)
      await product.kill('SIGKILL')
      product = await start()
    }
    await until('sending', () => isDone(folder))
    const took = (performance.now() - began) / 1_000
    await carrier.end()
    return await withClient(databaseIn(folder), async (client) => {
      const lost = (await statesOf(client)).filter(({ state }) => state === 'SENT').length
      await until('asking the carrier', async () => {
        await makeDue(client)
        return (await statesOf(client)).every(({ state }) => state !== 'SENT')
      })
      return verdict(carrier, { took, lost, acceptable }, await statesOf(client), await answersOf(client))
    })
  } finally {
    await product.stop()
    carrier.twilio.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
const KINDS_OF = Object.keys(KINDS) as Kind[]

function verdict(
  { twilio, answers, limited }: Carrier,
  { took, lost, acceptable }: { took: number; lost: number; acceptable: number },
  messages: readonly StoredMessage[],
  stored: readonly { phone: string; answer: number }[],
): Result[] {
  const { missing, doubled } = wrongOf(twilio.accepted, acceptable)
  const kindOf = Object.fromEntries(
    Object.entries(KINDS).map(([kind, channel]) => [channel, kind]),
  ) as Record<string, Kind>
  const wrongStates = messages.filter(
    ({ recipient, channel, state }) =>
      state !== (fateOf(kindOf[channel]!, recipient) === 'delivered' ? 'DELIVERED' : 'FAILED'),
  )
  const wrongAnswers =
    stored.filter(({ phone, answer }) => answers.get(phone) !== answer).length +
    Math.abs(answers.size - stored.length)
  const all = PEOPLE * TYPES.length
  return [
    absolute(NAME, `kill -9 ${KILLS.length} times, ${limited} × 429: sent after`, `${took.toFixed(0)} s`),
    absolute(
      NAME,
      `of ${acceptable} accepted: missing, doubled`,
      `${missing}, ${doubled}`,
      'none',
      missing + doubled === 0,
    ),
    absolute(
      NAME,
      `of ${all} states (${lost} reports lost and asked for): wrong`,
      String(wrongStates.length + Math.abs(all - messages.length)),
      'none',
      wrongStates.length === 0 && messages.length === all,
    ),
    absolute(
      NAME,
      `of ${answers.size} answers: lost, wrong`,
      String(wrongAnswers),
      'none',
      wrongAnswers === 0,
    ),
  ]
}

/**
 * 10,000 people on two channels: messages a second against a floor, and a question with failures, limits, lost and
 * doubled reports and five `kill -9`.
 */
export async function reach(): Promise<void> {
  console.log(heading())
  const results = [
    ...(await measureSends({ name: NAME, people: PEOPLE, types: TYPES, rounds: 3 })),
    ...(await withFaults()),
  ]
  for (const result of results) console.log(row(result))
  if (results.some(({ holds }) => holds === false)) process.exitCode = 1
}
