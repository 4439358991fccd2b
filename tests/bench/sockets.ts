import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

import { WebSocket } from 'ws'

import { signInMany, type SignedIn } from './chat-people.ts'
import { withClient } from './fixture.ts'
import { cpuOf, percentile, requestJson } from './measure.ts'
import { absolute, ms, type Result } from './report.ts'
import { type BenchProduct, SECRET_KEY, type Stage, targetOf } from './stage.ts'

const NAME = 'sockets'
const SOCKETS = 500
const WRITERS = 20
const SECONDS = 10
const WARM_UP_SECONDS = 2
const OPENED_AT_ONCE = 20
/** Milliseconds for the last event of a run to reach everybody. */
const PATIENCE = 30_000

interface Ask {
  readonly url: string
  readonly tickets: readonly string[]
}
type Report =
  | { readonly kind: 'open' }
  /** All sockets have received the next event of an incident, at a time of the shared clock. */
  | { readonly kind: 'told'; readonly record: string; readonly at: number }

/**
 * Concurrent writes in an organisation with many open pages: writes per second, and the delay until the last page is
 * notified.
 */
export const sockets = async (stage: Stage): Promise<Result[]> => measure(await stage.bench())

async function measure(bench: BenchProduct): Promise<Result[]> {
  const { url, pid } = bench.product
  const people = await withClient(bench.connection, (client) =>
    signInMany(client, bench.large, SECRET_KEY, SOCKETS),
  )
  const receivers = fork(import.meta.filename, ['receive'])
  try {
    const opened = once(receivers, 'message')
    receivers.send({
      url: `${url.replace('http', 'ws')}/api/live`,
      tickets: people.map(({ ticket }) => ticket),
    } satisfies Ask)
    await opened

    /** Times by incident: when changes were acknowledged, and when everybody was notified. */
    const answered = new Map<string, number[]>()
    const told = new Map<string, number[]>()
    receivers.on('message', (report: Report) => {
      if (report.kind === 'told') told.set(report.record, [...(told.get(report.record) ?? []), report.at])
    })
    const writers = await Promise.all(
      people.slice(0, WRITERS).map(async (person) => {
        const { id } = await change(bench, person, null, 'Followed')
        answered.set(id, [now()])
        return { person, id }
      }),
    )
    const writeFor = async (seconds: number) => {
      const until = performance.now() + seconds * 1_000
      await Promise.all(
        writers.map((writer) => write(bench, writer, until, () => answered.get(writer.id)!.push(now()))),
      )
    }
    await writeFor(WARM_UP_SECONDS)
    const [cpuBefore, from] = [cpuOf(pid), now()]
    await writeFor(SECONDS)
    const [cpu, seconds] = [cpuOf(pid) - cpuBefore, (now() - from) / 1_000]

    const missing = () =>
      [...answered].reduce((sum, [id, times]) => sum + times.length - (told.get(id)?.length ?? 0), 0)
    const patience = performance.now() + PATIENCE
    while (missing() > 0 && performance.now() < patience) await sleep(20)
    const waits = [...answered].flatMap(([id, times]) =>
      times.flatMap((time, n) => (time < from ? [] : [Math.max(0, (told.get(id)?.[n] ?? Infinity) - time)])),
    )
    const writes = waits.length
    return [
      absolute(NAME, `writes a second, ${SOCKETS} sockets`, (writes / seconds).toFixed(0)),
      absolute(
        NAME,
        `answer to the last socket, p50 / p99`,
        `${ms(percentile(waits, 0.5))} / ${ms(percentile(waits, 0.99))}`,
      ),
      absolute(NAME, `processor time of a delivery`, ms(cpu / writes / SOCKETS)),
      absolute(NAME, `events that not all received`, String(missing()), 'none', missing() === 0),
    ]
  } finally {
    receivers.disconnect()
  }
}

async function write(
  bench: BenchProduct,
  { person, id }: { readonly person: SignedIn; readonly id: string },
  until: number,
  note: () => void,
): Promise<void> {
  for (let n = 0; performance.now() < until; n += 1) {
    await change(bench, person, id, `Followed ${n}`)
    note()
  }
}

const change = (bench: BenchProduct, person: SignedIn, id: string | null, title: string) =>
  requestJson<{ id: string }>(
    targetOf(
      bench,
      id === null
        ? { method: 'POST', path: '/incident', body: () => JSON.stringify({ title, fullText: '<p>F</p>' }) }
        : { method: 'PATCH', path: `/incident/${id}`, body: () => JSON.stringify({ title }) },
      person,
    ),
  )

const now = (): number => Number(process.hrtime.bigint()) / 1e6
const report = (one: Report): void => void process.send!(one)
const SEQUENCE = '"sequence":'
const INCIDENT = '"noun":"incidents","record":"'
const ID_LENGTH = 36

/** Holds the sockets in a separate process; frames are not parsed, so that receiving costs little. */
async function receive({ url, tickets }: Ask): Promise<void> {
  const received = new Map<string, number>()
  const hear = (data: Buffer): void => {
    const at = data.indexOf(INCIDENT)
    if (at < 0) return
    const sequence = data.toString('latin1', data.indexOf(SEQUENCE) + SEQUENCE.length, at - 1)
    const count = (received.get(sequence) ?? 0) + 1
    received.set(sequence, count)
    if (count < tickets.length) return
    received.delete(sequence)
    const record = data.toString('latin1', at + INCIDENT.length, at + INCIDENT.length + ID_LENGTH)
    report({ kind: 'told', record, at: now() })
  }
  for (let from = 0; from < tickets.length; from += OPENED_AT_ONCE)
    await Promise.all(tickets.slice(from, from + OPENED_AT_ONCE).map((ticket) => open(url, ticket, hear)))
  report({ kind: 'open' })
}

function open(url: string, ticket: string, hear: (data: Buffer) => void): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true })
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', (code) => reject(new Error(`A socket was closed with ${code}.`)))
    socket.on('open', () => socket.send(JSON.stringify({ ticket, after: null })))
    socket.on('message', (data: Buffer) => {
      if (data.includes('"ready"')) resolve()
      else hear(data)
    })
  })
}

if (process.argv[2] === 'receive') {
  process.once('message', (ask: Ask) => void receive(ask))
  process.once('disconnect', () => process.exit())
}
