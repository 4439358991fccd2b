import { type ChildProcess, fork } from 'node:child_process'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { limitConcurrency } from '../core/concurrency.ts'
import { Refusal } from '../core/refusal.ts'
import type { Answer, Request } from './task.ts'

interface Limits {
  /** Time limit. */
  readonly seconds: number
  /** Limit of the JavaScript heap; beyond it the process dies. */
  readonly megabytes: number
  /** Limit of the young generation: a small one halves the memory of reading a large table, and takes no longer. */
  readonly semiSpaceMegabytes?: number
  /** Limit of all memory: buffers and native libraries are outside of the heap. */
  readonly residentMegabytes: number
  readonly limited: ReturnType<typeof limitConcurrency>
}
/** Kinds of work. Each has its own queue, so that a long report holds up no preview. */
const KINDS = {
  /** Reading somebody's file while they wait. */
  reading: {
    seconds: 30,
    megabytes: 512,
    semiSpaceMegabytes: 2,
    residentMegabytes: 2_048,
    limited: limitConcurrency({ concurrency: 2, queueMax: 100 }),
  },
  /** Making small pictures, of which many are requested at a time. */
  thumbnails: {
    seconds: 10,
    megabytes: 256,
    semiSpaceMegabytes: 2,
    residentMegabytes: 1_024,
    limited: limitConcurrency({ concurrency: 1, queueMax: 100 }),
  },
  /** Reading files while nobody waits. */
  indexing: {
    seconds: 60,
    megabytes: 512,
    residentMegabytes: 1_024,
    limited: limitConcurrency({ concurrency: 1, queueMax: 10 }),
  },
  /** Making a document, which may have thousands of pages. */
  making: {
    seconds: 120,
    megabytes: 1_024,
    residentMegabytes: 2_048,
    limited: limitConcurrency({ concurrency: 2, queueMax: 500 }),
  },
} satisfies { readonly [kind: string]: Limits }

/** A task for a process, and the parent's part in it. */
interface Work<Task> {
  readonly kind: keyof typeof KINDS
  /** The module whose default export does the task. */
  readonly module: URL
  readonly task: Task
  /** Opens the standard input of the process when its turn comes. */
  readonly input?: (() => Promise<Buffer | Readable>) | undefined
  /** Message of the 413 for exceeding time or memory. */
  readonly excess: string
  /** Lower limit of waiting tasks. */
  readonly waitingMax?: number | undefined
}

/**
 * Runs a task in a process of its own. A thread would not do: one that runs out of memory may take the server with it
 * (docs/decisions/064).
 * @throws Refusal of the task; 413 where it takes too long or too much memory; 503 where too many wait
 */
export function inProcess<Task, Result>(work: Work<Task>): Promise<Awaited<Result>> {
  const { limited, ...limits } = KINDS[work.kind]
  return limited(() => run<Awaited<Result>>(work, limits), work.waitingMax)
}

async function run<Result>(
  { module, task, input, excess }: Work<unknown>,
  { seconds, megabytes, semiSpaceMegabytes, residentMegabytes }: Omit<Limits, 'limited'>,
): Promise<Result> {
  const source = await input?.()
  const child = fork(new URL('./entry.ts', import.meta.url), [String(seconds), String(residentMegabytes)], {
    serialization: 'advanced',
    stdio: [source ? 'pipe' : 'ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [
      `--max-old-space-size=${megabytes}`,
      ...(semiSpaceMegabytes ? [`--max-semi-space-size=${semiSpaceMegabytes}`] : []),
    ],
    // Excludes the server's secrets.
    env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], PATH: process.env['PATH'] },
  })
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  // Prevents an unhandled rejection when something else has failed before.
  promise.catch(() => {})
  const timer = setTimeout(() => reject(new Refusal(413, excess)), seconds * 1_000)
  child.on('message', (answer: Answer) => {
    if ('result' in answer) resolve(answer.result as Result)
    else if ('fault' in answer) reject(new Error(answer.fault))
    else reject(new Refusal(answer.status, answer.sentence, answer.details))
  })
  child.once('error', reject)
  // The process waits to be ended, so an exit means that it or the system has run out of memory.
  child.once('exit', () => reject(new Refusal(413, excess)))
  try {
    child.send({ module: module.href, task } satisfies Request)
    if (source) await Promise.race([promise, feed(child, source)])
    return await promise
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

/** Writes the standard input. Fails where its source does; an ended process reports itself. */
async function feed({ stdin }: ChildProcess, source: Buffer | Readable): Promise<void> {
  if (Buffer.isBuffer(source)) return void stdin!.on('error', () => {}).end(source)
  let failure: Error | undefined
  source.once('error', (error) => (failure = error))
  await pipeline(source, stdin!).catch(() => {})
  if (failure) throw failure
}
