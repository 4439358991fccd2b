import { setTimeout as sleep } from 'node:timers/promises'

import { WebSocket } from 'ws'

import type { Message } from '#contract/chat/schema.ts'

import { makeRoom, signInMany } from './chat-people.ts'
import { now, Receivers, type Seat, textOf } from './chat-receivers.ts'
import { withClient } from './fixture.ts'
import { type Floor, startFloorProcess } from './floor-process.ts'
import { cpuOf, interleave, percentile, requestJson, type Sample, send } from './measure.ts'
import { absolute, compare, ms, type Result } from './report.ts'
import { type BenchProduct, SECRET_KEY, type Stage } from './stage.ts'

const NAME = 'chat'
const ROUNDS = 5
/** Members, and messages per round. */
const SMALL = { members: 200, messages: 60 } as const
const LARGE = { members: 1_000, messages: 30 } as const
const BUDGETS = { p50: 3.2, cpu: 2.3, p99: 2.3, loaded: 2.5 } as const
/** Connections that request lists, and the allowed factor of p99. */
const READERS = 20
/** Milliseconds between lists of one connection: as when everybody opens a page twice a second. */
const READING_PAUSE = 500
/** Messages of the measurement with lists requested without a pause. */
const SATURATED = 30
/** Receiver processes: two, so that they receive faster than one process sends. */
const RECEIVERS = 2

/** A room to send messages into: `send` returns the time of sending. */
interface Side {
  readonly group: string
  readonly members: number
  readonly messages: number
  readonly pid: number
  readonly post: (text: string) => Promise<unknown>
  next: number
}

/**
 * Messages in a room of the product against the least room on the same machine: from sending to the last member, and
 * the server's processor time per member. The product commits each message first.
 */
export const chat = async (stage: Stage): Promise<Result[]> => measure(await stage.bench())

async function measure(bench: BenchProduct): Promise<Result[]> {
  const receivers = new Receivers(RECEIVERS)
  const floor = await startFloorProcess(new URL('chat-floor.ts', import.meta.url).pathname, {})
  try {
    const results: Result[] = []
    for (const size of [SMALL, LARGE]) {
      const ours = await productSide(bench, receivers, size)
      const least = await floorSide(floor, receivers, size, await lengthOf(receivers, ours))
      const sides: Record<string, () => Promise<Sample>> = {
        ours: () => round(receivers, ours),
        least: () => round(receivers, least),
      }
      if (size === SMALL)
        sides['loaded'] = () => underLoad(bench, READING_PAUSE, () => round(receivers, ours))
      const samples = await interleave(ROUNDS, sides)
      results.push(...report(size.members, samples))
      if (size === SMALL) {
        const few = { ...ours, messages: SATURATED }
        const { p50, p99 } = await underLoad(bench, 0, () => round(receivers, few))
        ours.next = few.next
        const what = `${size.members}: p50, p99 while they ask without pause`
        results.push(absolute(NAME, what, `${ms(p50)}, ${ms(p99)}`))
      }
      const { lost, disordered } = await receivers.faults(ours.group)
      const isWhole = lost + disordered === 0
      const all = `${(ours.next - 1) * size.members}`
      const faults = `${lost}, ${disordered} of ${all}`
      results.push(absolute(NAME, `${size.members}: lost, out of order`, faults, 'none', isWhole))
    }
    return results
  } finally {
    receivers.close()
    await floor.stop()
  }
}

function report(members: number, { ours, least, loaded }: Readonly<Record<string, Sample[]>>): Result[] {
  const isSmall = members === SMALL.members
  const pair = [ours!, least!] as const
  const name = String(members)
  const results = [
    compare(NAME, `${name}: to the last member, p50`, 'p50', pair, isSmall ? BUDGETS.p50 : null),
    compare(NAME, `${name}: to the last member, p99`, 'p99', pair, isSmall ? null : BUDGETS.p99),
    compare(NAME, `${name}: processor time per delivery`, 'cpu', pair, isSmall ? BUDGETS.cpu : null),
  ]
  if (!loaded) return results
  const what = `${name}: p99 while ${READERS} ask for lists, and not`
  return [...results, compare(NAME, what, 'p99', [loaded, ours!], BUDGETS.loaded)]
}

/** Sends a round of messages, each once everybody has the previous one. */
async function round(receivers: Receivers, side: Side): Promise<Sample> {
  const times: number[] = []
  const before = cpuOf(side.pid)
  for (let n = 0; n < side.messages; n += 1) {
    const received = receivers.complete(side.group, side.next)
    const began = now()
    const posted = side.post(textOf(side.next))
    side.next += 1
    const [at] = await Promise.all([received, posted])
    times.push(at - began)
  }
  const cpu = (cpuOf(side.pid) - before) / (side.messages * side.members)
  return { cpu, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

type Size = typeof SMALL | typeof LARGE
async function productSide(
  bench: BenchProduct,
  receivers: Receivers,
  { members, messages }: Size,
): Promise<Side> {
  const { url, pid } = bench.product
  const people = await withClient(bench.connection, (client) =>
    signInMany(client, bench.large, SECRET_KEY, members),
  )
  const roomId = await makeRoom(url, bench.admin, people)
  const seats = people.map(({ ticket }): Seat => ({
    url: `${url.replace('http', 'ws')}/api/live`,
    hello: { ticket, after: null, chatAfter: null },
  }))
  const group = `product of ${members}`
  await receivers.open(group, seats)
  // Members take turns, because each may send a limited number of messages a minute.
  let turn = 0
  const post = (text: string) =>
    requestJson<Message>({
      method: 'POST',
      url: `${url}/api/chat/rooms/${roomId}/messages`,
      headers: people[turn++ % people.length]!.headers,
      body: () => JSON.stringify({ clientId: crypto.randomUUID(), text }),
    })
  return { group, members, messages, pid, post, next: 1 }
}

/** Sends one message, and returns the bytes of the record in its response: the floor sends as many. */
async function lengthOf(receivers: Receivers, side: Side): Promise<number> {
  const received = receivers.complete(side.group, side.next)
  const posted = await side.post(textOf(side.next))
  side.next += 1
  await received
  return JSON.stringify(posted).length
}

async function floorSide(
  floor: Floor,
  receivers: Receivers,
  { members, messages }: Size,
  length: number,
): Promise<Side> {
  const group = `floor of ${members}`
  const url = `${floor.url.replace('http', 'ws')}/${members}`
  await receivers.open(
    group,
    Array.from({ length: members }, () => ({ url, hello: null })),
  )
  const sender = new WebSocket(`${url}?sender`, { perMessageDeflate: false })
  await new Promise((resolve, reject) => sender.once('open', resolve).once('error', reject))
  const post = async (text: string) => sender.send(text.padEnd(length))
  return { group, members, messages, pid: floor.pid, post, next: 1 }
}

const LISTS = [
  // A page, as the browser asks for: whole lists are limited for each person.
  `/chat/rooms?${new URLSearchParams({ range: '[0,19]' })}`,
  '/incident?page=0&size=20',
  '/chat/summary',
  '/me',
] as const

/** Works while connections request one list after another, at an interval in milliseconds. */
async function underLoad<T>(bench: BenchProduct, pause: number, work: () => Promise<T>): Promise<T> {
  const done = new AbortController()
  const reader = async (number: number) => {
    await sleep((pause * number) / READERS)
    for (let n = number; !done.signal.aborted; n += 1) {
      const path = LISTS[n % LISTS.length]!
      const { status } = await send({ url: `${bench.product.url}/api${path}`, headers: bench.admin.headers })
      if (status >= 300) throw new Error(`GET ${path} answered ${status}`)
      if (pause > 0) await sleep(pause)
    }
  }
  const readers = Promise.all(Array.from({ length: READERS }, (_, number) => reader(number)))
  try {
    await sleep(100 + pause)
    return await Promise.race([work(), readers.then(() => Promise.reject(new Error('The load ended.')))])
  } finally {
    done.abort()
    await readers
  }
}
