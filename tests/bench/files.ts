import { randomFillSync } from 'node:crypto'
import { request } from 'node:http'

import { requestJson, interleave, memoryOf, type Sample } from './measure.ts'
import { startNginx } from './nginx.ts'
import { absolute, compare, type Result } from './report.ts'
import { NotHere, type BenchProduct, type Stage, targetOf } from './stage.ts'

const SIZE = 100_000_000
const ROUNDS = 7
/** The product's speed is at least 0.45 of nginx's (design §10): its time at most this many times nginx's. */
const BUDGET = 1 / 0.45
const MEMORY_BUDGET_MB = 40
const WATCH_MS = 20

const BOUNDARY = 'muster-bench'
const HEAD = Buffer.from(
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.pdf"\r\nContent-Type: application/pdf\r\n\r\n`,
)
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)

interface Sent {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly parts?: readonly Buffer[]
}
/** One request; reads the response to its end and keeps only a short one. */
function transfer({ method, url, headers = {}, parts = [] }: Sent): Promise<{ size: number; text: string }> {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, headers: { ...headers, ...(length > 0 ? { 'Content-Length': length } : {}) } },
      (incoming) => {
        let size = 0
        const kept: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size < 10_000) kept.push(chunk)
        })
        incoming.on('error', reject)
        incoming.on('end', () => {
          const text = Buffer.concat(kept).toString()
          if ((incoming.statusCode ?? 500) < 300) resolve({ size, text })
          else reject(new Error(`${method} ${url} answered ${incoming.statusCode}: ${text}`))
        })
      },
    )
    outgoing.on('error', reject)
    for (const part of parts) outgoing.write(part)
    outgoing.end()
  })
}

/** The duration of one act, as a sample. */
async function timed(act: () => Promise<unknown>): Promise<Sample> {
  const began = performance.now()
  await act()
  const took = performance.now() - began
  return { cpu: took, p50: took, p99: took }
}

/** Peak of the product's memory above its start, in MB. */
async function risen<T>(pid: number, work: () => Promise<T>): Promise<{ result: T; mb: number }> {
  const before = memoryOf(pid)
  let highest = before
  const watch = setInterval(() => (highest = Math.max(highest, memoryOf(pid))), WATCH_MS)
  try {
    return { result: await work(), mb: highest - before }
  } finally {
    clearInterval(watch)
  }
}

const NEW = JSON.stringify({ title: 'With files', fullText: '<p>Files</p>' })
const productFiles = async (bench: BenchProduct) => {
  const { product, admin } = bench
  const { id: incidentId } = await requestJson<{ id: string }>(
    targetOf(bench, { method: 'POST', path: '/incident', body: () => NEW }),
  )
  const { headers } = admin
  const add = async (bytes: Buffer): Promise<string> => {
    const type = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }
    const url = `${product.url}/api/fa/INCIDENT/${incidentId}`
    const parts = [HEAD, bytes, TAIL]
    const { text } = await transfer({ method: 'POST', url, headers: { ...headers, ...type }, parts })
    return (JSON.parse(text) as { id: string }).id
  }
  const at = (id: string) => `${product.url}/api/fa/${id}`
  return {
    add,
    get: (id: string) => transfer({ method: 'GET', url: at(id), headers }),
    remove: (id: string) => transfer({ method: 'DELETE', url: at(id), headers }),
  }
}

/** A file of 100 MB up and down, hashed and encrypted at rest, against nginx, which does neither. */
export async function files(stage: Stage): Promise<Result[]> {
  const nginx = await startNginx()
  if (!nginx) throw new NotHere('nginx is not installed (/usr/sbin/nginx)')
  const bench = await stage.bench()
  try {
    const { add, get, remove } = await productFiles(bench)
    const bytes = randomFillSync(Buffer.allocUnsafe(SIZE))
    bytes.write('%PDF-1.7\n')
    const theirs = `${nginx.url}/large.pdf`
    const whole = async (reading: Promise<{ size: number }>) => {
      if ((await reading).size !== SIZE) throw new Error('A part of the file is missing.')
    }
    const put = (url: string) => transfer({ method: 'PUT', url, parts: [bytes] })
    const fetched = (url: string) => whole(transfer({ method: 'GET', url }))
    const added: string[] = []
    const kept = await add(bytes)
    const { result, mb } = await risen(bench.product.pid, async () => {
      const up = await interleave(ROUNDS, {
        product: () => timed(async () => added.push(await add(bytes))),
        nginx: () => timed(() => put(theirs)),
      })
      const down = await interleave(ROUNDS, {
        product: () => timed(() => whole(get(kept))),
        nginx: () => timed(() => fetched(theirs)),
      })
      return { up, down }
    })
    for (const id of [kept, ...added]) await remove(id)
    const { up, down } = result
    return [
      compare('files', '100 MB up, against nginx', 'p50', [up.product, up.nginx], BUDGET),
      compare('files', '100 MB down, against nginx', 'p50', [down.product, down.nginx], BUDGET),
      absolute(
        'files',
        'memory risen meanwhile (VmRSS)',
        `${mb.toFixed(0)} MB`,
        `≤ ${MEMORY_BUDGET_MB} MB`,
        mb <= MEMORY_BUDGET_MB,
      ),
    ]
  } finally {
    await nginx.stop()
  }
}
