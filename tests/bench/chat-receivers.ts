import { fork, type ChildProcess } from 'node:child_process'

import { WebSocket } from 'ws'

/** A member's socket with its hello; null without one. */
export interface Seat {
  readonly url: string
  readonly hello: object | null
}
/** Members of one room, whose sockets one process holds. */
interface Group {
  readonly group: string
  readonly seats: readonly Seat[]
}
/** A report of a receiver process. Times are of the monotonic clock, which all processes share. */
type Report =
  | { readonly kind: 'open'; readonly group: string }
  | { readonly kind: 'complete'; readonly group: string; readonly number: number; readonly at: number }
  | { readonly kind: 'faults'; readonly group: string; readonly lost: number; readonly disordered: number }

/** Milliseconds of the monotonic clock, which all processes of a machine share. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6

/** The numbered text of a message, found in a frame without parsing it. */
export const textOf = (number: number): string =>
  `<p>#${String(number).padStart(7, '0')} The bridge is closed, use the southern gate until further notice.</p>`
const MARK = '<p>#'
const OPENED_AT_ONCE = 20

/** The sockets of all members, in processes of their own, so that receiving takes no time from the sender. */
export class Receivers {
  readonly #processes: readonly ChildProcess[]
  readonly #waiting = new Map<string, (report: Report) => void>()

  constructor(count: number) {
    this.#processes = Array.from({ length: count }, () => fork(import.meta.filename, ['receive']))
    for (const child of this.#processes)
      child.on('message', (report: Report) => this.#waiting.get(keyOf(report))?.(report))
  }

  /** Opens the sockets of a group and waits until they are ready to receive. */
  async open(group: string, seats: readonly Seat[]): Promise<void> {
    const share = Math.ceil(seats.length / this.#processes.length)
    const opened = this.#fromAll({ kind: 'open', group })
    for (const [n, child] of this.#processes.entries())
      child.send({ group, seats: seats.slice(n * share, (n + 1) * share) } satisfies Group)
    await opened
  }

  /**
   * Resolves with the time at which the last member of a group has received a message; call it before the message is
   * sent.
   */
  async complete(group: string, number: number, within = 30_000): Promise<number> {
    const late = AbortSignal.timeout(within)
    const tooLate = new Promise<never>((_, reject) =>
      late.addEventListener('abort', () =>
        reject(new Error(`Message ${number} did not reach all of ${group}.`)),
      ),
    )
    const reports = await Promise.race([this.#fromAll({ kind: 'complete', group, number }), tooLate])
    return Math.max(...reports.map((report) => (report.kind === 'complete' ? report.at : 0)))
  }

  /** Numbers of messages that members of a group did not receive, or received out of order. */
  async faults(group: string): Promise<{ lost: number; disordered: number }> {
    const reports = this.#fromAll({ kind: 'faults', group })
    for (const child of this.#processes) child.send({ group, seats: [] } satisfies Group)
    const total = { lost: 0, disordered: 0 }
    for (const report of await reports) {
      if (report.kind !== 'faults') continue
      total.lost += report.lost
      total.disordered += report.disordered
    }
    return total
  }

  close(): void {
    for (const child of this.#processes) child.disconnect()
  }

  /** One report from each process. */
  async #fromAll(of: { kind: Report['kind']; group: string; number?: number }): Promise<Report[]> {
    const reports: Report[] = []
    await new Promise<void>((resolve) => {
      this.#waiting.set(keyOf(of), (report) => {
        if (reports.push(report) === this.#processes.length) resolve()
      })
    })
    this.#waiting.delete(keyOf(of))
    return reports
  }
}

const keyOf = ({ kind, group, number }: { kind: string; group: string; number?: number }): string =>
  `${kind} ${group} ${number ?? ''}`

/** Counts of one process for one group. */
class Tally {
  readonly #group: string
  readonly #last: number[]
  readonly #received = new Map<number, number>()
  lost = 0
  disordered = 0

  constructor({ group, seats }: Group) {
    this.#group = group
    this.#last = seats.map(() => 0)
  }

  receive(seat: number, number: number): void {
    const expected = this.#last[seat]! + 1
    if (number < expected) this.disordered += 1
    else this.lost += number - expected
    this.#last[seat] = Math.max(number, expected - 1)
    const count = (this.#received.get(number) ?? 0) + 1
    this.#received.set(number, count)
    if (count < this.#last.length) return
    this.#received.delete(number)
    report({ kind: 'complete', group: this.#group, number, at: now() })
  }
}

const report = (one: Report): void => void process.send!(one)

function take({ url, hello }: Seat, receive: (number: number) => void): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true })
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', (code) => reject(new Error(`A member's socket was closed with ${code}.`)))
    socket.on('open', () => (hello ? socket.send(JSON.stringify(hello)) : resolve()))
    socket.on('message', (data: Buffer) => {
      const at = data.indexOf(MARK)
      if (at >= 0) receive(Number(data.toString('latin1', at + MARK.length, at + MARK.length + 7)))
      else if (data.includes('"chat-ready"')) resolve()
    })
  })
}

/** Runs a process of receivers: opens the sockets that the parent sends, and reports what they receive. */
function serve(): void {
  const tallies = new Map<string, Tally>()
  process.on('message', async (given: Group) => {
    const { group, seats } = given
    const known = tallies.get(group)
    if (known) return report({ kind: 'faults', group, lost: known.lost, disordered: known.disordered })
    const tally = new Tally(given)
    tallies.set(group, tally)
    for (let from = 0; from < seats.length; from += OPENED_AT_ONCE)
      await Promise.all(
        seats
          .slice(from, from + OPENED_AT_ONCE)
          .map((seat, n) => take(seat, (number) => tally.receive(from + n, number))),
      )
    report({ kind: 'open', group })
  })
  // Ends with its parent process.
  process.once('disconnect', () => process.exit())
}

if (process.argv[2] === 'receive') serve()
