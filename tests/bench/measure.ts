import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

/** Target of requests, and the process that serves them. */
export interface Target {
  readonly pid: number
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
  /** Built for each request. */
  readonly body?: () => string
}
export interface HttpReply {
  readonly status: number
  readonly body: string
}
/** Costs of one round of requests, in milliseconds. */
export interface Sample {
  /** Processor time of the process per request, of all its threads. */
  readonly cpu: number
  readonly p50: number
  readonly p99: number
}

/** Connections are kept alive, like in browsers. */
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

export function send(target: Omit<Target, 'pid'>): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const body = target.body?.()
    const headers = body === undefined ? target.headers : { ...target.headers, ...jsonHeaders(body) }
    const outgoing = request(target.url, { method: target.method ?? 'GET', headers, agent }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      )
      incoming.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
const jsonHeaders = (body: string) => ({
  'Content-Type': 'application/json',
  'Content-Length': String(Buffer.byteLength(body)),
})

/**
 * Sends a request and returns its JSON.
 * @throws Error for a status of 300 or more
 */
export async function requestJson<T>(target: Omit<Target, 'pid'>): Promise<T> {
  const answer = await send(target)
  if (answer.status >= 300)
    throw new Error(`${target.method ?? 'GET'} ${target.url} answered ${answer.status}: ${answer.body}`)
  return (answer.body === '' ? undefined : JSON.parse(answer.body)) as T
}

/** Processor time of a process since its start, in milliseconds, as the kernel counts it for each of its threads. */
export function cpuOf(pid: number): number {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
  }
  return nanoseconds / 1e6
}

/** Resident memory of a process, in MB. */
export const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN
}
export const median = (values: readonly number[]): number => percentile(values, 0.5)

export interface Load {
  readonly requests: number
  readonly concurrency: number
}
/** Sends `requests` requests, `concurrency` at a time. */
export async function drive(target: Target, { requests, concurrency }: Load): Promise<Sample> {
  const latencies: number[] = []
  let left = requests
  const before = cpuOf(target.pid)
  const worker = async () => {
    while (left > 0) {
      left -= 1
      const began = performance.now()
      const { status, body } = await send(target)
      latencies.push(performance.now() - began)
      if (status >= 300) throw new Error(`${target.url} answered ${status}: ${body.slice(0, 500)}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const cpu = (cpuOf(target.pid) - before) / requests
  return { cpu, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) }
}

/** Discarded warm-up rounds: a large program is compiled later than a small one. */
const WARM_UP = 3

/** Measures the sides alternately, A B A B …, for a number of rounds. */
export async function interleave<Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<Sample>>>,
): Promise<Record<Side, Sample[]>> {
  const names = Object.keys(sides) as Side[]
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Side, Sample[]>
  for (let round = -WARM_UP; round < rounds; round += 1) {
    for (const name of names) {
      const sample = await sides[name]()
      if (round >= 0) samples[name].push(sample)
    }
  }
  return samples
}
