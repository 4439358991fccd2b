import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

import { databasePids, type Product, startProduct } from '../support/product.ts'
import { databaseIn, withClient } from './fixture.ts'
import { cpuOf, median, send } from './measure.ts'
import { absolute, ms, type Result } from './report.ts'
import { SECRET_KEY, type Stage } from './stage.ts'

const STARTS = 5
const START_BUDGET_MS = 1_500
const MEMORY_BUDGET_MB = 150
/** Per cent of one core, of all processes. */
const IDLE_BUDGET = 1.5
const IDLE_MS = 10_000
/** Memory is at rest when it has changed by less than `mb` MB for `seconds` seconds; waits at most `atMost` seconds. */
const REST = { mb: 1, seconds: 5, atMost: 30 } as const

async function startAndAsk(folder: string): Promise<{ product: Product; took: number }> {
  const began = performance.now()
  const product = await startProduct({ DEMO: '0', SECRET_KEY }, folder)
  const { status } = await send({ url: `${product.url}/api/me`, headers: {} })
  const took = performance.now() - began
  if (status !== 401) throw new Error(`The first answer was ${status}.`)
  return { product, took }
}

/** Processes of the product and its database. */
const processesOf = ({ pid, dataDir }: Product): number[] => [pid, ...databasePids(dataDir)]
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
/** Proportional memory of a process in MB (PSS). */
const shareOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024

async function memoryAtRest(product: Product): Promise<number> {
  const seen: number[] = []
  for (let second = 0; second < REST.atMost; second += 1) {
    seen.push(sumOf(processesOf(product).map(shareOf)))
    const latest = seen.slice(-REST.seconds)
    if (seen.length > REST.seconds && Math.max(...latest) - Math.min(...latest) < REST.mb) break
    await sleep(1_000)
  }
  return seen.at(-1)!
}

/** The product on the folder that the other lines filled: its start, and its resources when idle. */
export async function start(stage: Stage): Promise<Result[]> {
  const folder = await stage.folder()
  const took: number[] = []
  for (let n = 0; n <= STARTS; n += 1) {
    const started = await startAndAsk(folder)
    // The first start builds an outdated front end.
    if (n > 0) took.push(started.took)
    await started.product.kill('SIGTERM')
  }
  const { product } = await startAndAsk(folder)
  try {
    // Otherwise autovacuum works through what the other lines wrote, in the seconds that are measured.
    await withClient(databaseIn(product.dataDir), (client) => client.query('vacuum (analyze)'))
    const memory = await memoryAtRest(product)
    // PostgreSQL ends and starts processes of its own.
    const before = new Map(processesOf(product).map((pid) => [pid, cpuOf(pid)]))
    await sleep(IDLE_MS)
    const used = processesOf(product).map((pid) => cpuOf(pid) - (before.get(pid) ?? 0))
    const idle = (sumOf(used) / IDLE_MS) * 100
    const [fast, slow] = [Math.min(...took), Math.max(...took)]
    return [
      absolute(
        'start',
        `to the first answer, ${STARTS} starts (${ms(fast)}..${ms(slow)})`,
        ms(median(took)),
        `≤ ${START_BUDGET_MS / 1_000} s`,
        median(took) <= START_BUDGET_MS,
      ),
      absolute(
        'start',
        'idle: memory of all processes (PSS)',
        `${memory.toFixed(0)} MB`,
        `≤ ${MEMORY_BUDGET_MB} MB`,
        memory <= MEMORY_BUDGET_MB,
      ),
      absolute(
        'start',
        `idle: processor, over ${IDLE_MS / 1_000} s`,
        `${idle.toFixed(2)} %`,
        `≤ ${IDLE_BUDGET} %`,
        idle <= IDLE_BUDGET,
      ),
    ]
  } finally {
    await product.kill('SIGTERM')
  }
}
