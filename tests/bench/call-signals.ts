import { setTimeout as sleep } from 'node:timers/promises'

import { WebSocket } from 'ws'

import { type CallFrame, type JoinedCall, SIGN_EVERY } from '#contract/calls/schema.ts'
import type { Room } from '#contract/chat/schema.ts'
import type { LiveMessage } from '#contract/kit/live.ts'

import { makeRoom, type SignedIn, signInMany } from './chat-people.ts'
import { withClient } from './fixture.ts'
import { cpuOf, memoryOf, percentile, requestJson } from './measure.ts'
import { absolute, ms, type Result } from './report.ts'
import { type BenchProduct, SECRET_KEY, type Stage } from './stage.ts'

const NAME = 'calls'
/** Concurrent calls of two people each. */
const CALLS = 200
/** Signals of each page, and the interval in milliseconds: as when all connections are negotiated at once. */
const SIGNALS = 20
const SIGNAL_PAUSE = 500
/** Characters of a signal, the size of an SDP description. */
const LENGTH = 2_000
const BUDGET_MS = 100

/** A page in a call. */
interface Seat {
  readonly socket: WebSocket
  readonly mine: JoinedCall
  /** The other participant's id. */
  other: string
}

/**
 * Many concurrent calls in one process: latency of signals between pages while all send heartbeats, and the memory of
 * calls.
 */
export const callSignals = async (stage: Stage): Promise<Result[]> => measure(await stage.bench())

async function measure(bench: BenchProduct): Promise<Result[]> {
  const { pid } = bench.product
  const people = await withClient(bench.connection, (client) =>
    signInMany(client, bench.large, SECRET_KEY, 2 * CALLS),
  )
  const sockets: WebSocket[] = []
  for (const person of people) sockets.push(await opened(bench, person))
  const withoutCalls = memoryOf(pid)
  const joining: number[] = []
  const seats: Seat[] = []
  const signs: NodeJS.Timeout[] = []
  for (let n = 0; n < 2 * CALLS; n += 2) {
    const pair = await inCall(bench, [people[n]!, people[n + 1]!], joining)
    for (const [side, joined] of pair.entries()) {
      const seat = { ...joined, socket: sockets[n + side]! }
      sign(seat)
      signs.push(setInterval(() => sign(seat), SIGN_EVERY))
      seats.push(seat)
    }
  }
  const before = cpuOf(pid)
  const began = performance.now()
  const times = (await Promise.all(seats.map((seat, n) => talk(seat, n)))).flat()
  const share = (cpuOf(pid) - before) / (performance.now() - began)
  const memory = memoryOf(pid) - withoutCalls
  const areIn = await stillIn(bench, people[0]!, seats[0]!)
  for (const timer of signs) clearInterval(timer)
  for (const { socket } of seats) socket.close()
  const p99 = percentile(times, 0.99)
  return [
    absolute(NAME, `joining, p50 / p99`, both(joining)),
    absolute(
      NAME,
      `${CALLS} calls, signal to the other, p50 / p99`,
      both(times),
      `≤ ${BUDGET_MS} ms`,
      p99 <= BUDGET_MS && areIn,
    ),
    absolute(NAME, `processor of the server meanwhile`, `${Math.round(share * 100)} %`),
    absolute(NAME, `memory of ${CALLS} calls`, `${memory.toFixed(1)} MB`),
  ]
}
const both = (times: readonly number[]): string =>
  `${ms(percentile(times, 0.5))} / ${ms(percentile(times, 0.99))}`

function opened(bench: BenchProduct, { ticket }: SignedIn): Promise<WebSocket> {
  const socket = new WebSocket(`${bench.product.url.replace('http', 'ws')}/api/live`)
  socket.on('open', () => socket.send(JSON.stringify({ ticket, after: null, chatAfter: null })))
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('A socket was closed.')))
    socket.on('message', (data) => {
      if (
        (JSON.parse((data as Buffer).toString()) as LiveMessage | { type: 'chat-ready' }).type ===
        'chat-ready'
      )
        resolve(socket)
    })
  })
}

/** Lets two people into a call of their own room, and records how long each waited. */
async function inCall(
  { product: { url } }: BenchProduct,
  [first, second]: readonly [SignedIn, SignedIn],
  waited: number[],
): Promise<Omit<Seat, 'socket'>[]> {
  const roomId = await makeRoom(url, first, [second])
  const join = async ({ headers }: SignedIn) => {
    const began = performance.now()
    const joined = await requestJson<JoinedCall>({
      method: 'POST',
      url: `${url}/api/calls`,
      headers,
      body: () => JSON.stringify({ roomId, participantId: crypto.randomUUID() }),
    })
    waited.push(performance.now() - began)
    return joined
  }
  const [one, another] = [await join(first), await join(second)]
  return [
    { mine: one, other: another.participantId },
    { mine: another, other: one.participantId },
  ]
}

const sign = ({ socket, mine: { call, participantId } }: Seat): void =>
  socket.send(JSON.stringify({ type: 'call-here', callId: call.callId, participantId }))

/** Sends signals to the other page of a call; returns the latency of received ones. */
async function talk({ socket, mine, other }: Seat, number: number): Promise<number[]> {
  const times: number[] = []
  const done = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      const frame = JSON.parse((data as Buffer).toString()) as CallFrame
      if (frame.type !== 'call-signal') return
      times.push(performance.now() - (frame.data as { sent: number }).sent)
      if (times.length === SIGNALS) resolve()
    })
  })
  await sleep((SIGNAL_PAUSE * (number % 97)) / 97)
  const text = 'x'.repeat(LENGTH)
  for (let n = 0; n < SIGNALS; n += 1) {
    const data = { sent: performance.now(), text }
    const { callId } = mine.call
    socket.send(JSON.stringify({ type: 'call-signal', callId, from: mine.participantId, to: other, data }))
    await sleep(SIGNAL_PAUSE)
  }
  await done
  return times
}

/** True when no participant was removed meanwhile. */
async function stillIn({ product }: BenchProduct, { headers }: SignedIn, { mine }: Seat): Promise<boolean> {
  const url = `${product.url}/api/chat/rooms/${mine.roomId}`
  const { callDetails } = await requestJson<Room>({ method: 'GET', url, headers })
  return callDetails?.participants.length === 2
}
