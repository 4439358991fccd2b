import { randomFillSync } from 'node:crypto'

import { makeRoom } from './chat-people.ts'
import { startDownloads } from './downloads.ts'
import { drive, interleave, type Load, type Sample } from './measure.ts'
import { compare, type Result } from './report.ts'
import { type BenchProduct, type Stage, targetOf } from './stage.ts'

const NAME = 'storage'
const ROUNDS = 5
const DOWNLOADS = 20
/** The default maximum size of a file, so that sending dominates the time. */
const SIZE = 100_000_000
/** Allowed factor of p99 beside downloads. */
const P99_BUDGET = 4
/** Calls of each kind during downloads. */
const MEANWHILE: Load = { requests: 10, concurrency: 1 }

/** Adds a file to the root. Returns its id. */
async function addFile({ product, admin }: BenchProduct): Promise<number> {
  const bytes = randomFillSync(Buffer.alloc(SIZE))
  bytes.write('%PDF-1.7\n')
  const body = new FormData()
  body.append('file', new File([bytes], 'downloaded.pdf'))
  const stored = await fetch(`${product.url}/api/sfs`, { method: 'POST', headers: admin.headers, body })
  if (!stored.ok) throw new Error(`The file was answered with ${stored.status}: ${await stored.text()}`)
  return ((await stored.json()) as { id: number }).id
}

/** A folder and messages while twenty people download a file of 100 MB each. */
export async function storage(stage: Stage): Promise<Result[]> {
  const bench = await stage.bench()
  const id = await addFile(bench)
  const roomId = await makeRoom(bench.product.url, bench.admin, [])
  const folder = () => drive(targetOf(bench, { path: '/sfs/folder/0?range=[0,99]' }), MEANWHILE)
  const message = () =>
    drive(
      targetOf(bench, {
        method: 'POST',
        path: `/chat/rooms/${roomId}/messages`,
        body: () => JSON.stringify({ clientId: crypto.randomUUID(), text: 'All is well.' }),
      }),
      MEANWHILE,
    )
  const { headers } = bench.admin
  const download = { url: `${bench.product.url}/api/sfs/${id}`, headers, connections: DOWNLOADS }
  const loaded = async (work: () => Promise<Sample>): Promise<Sample> => {
    const end = await startDownloads(download)
    try {
      return await work()
    } finally {
      await end()
    }
  }
  const results: Result[] = []
  for (const [what, work] of [
    ['a folder', folder],
    ['a message', message],
  ] as const) {
    const samples = await interleave(ROUNDS, { product: () => loaded(work), floor: work })
    const sides = [samples.product, samples.floor] as const
    results.push(compare(NAME, `${what} while ${DOWNLOADS} download, p50`, 'p50', sides, null))
    results.push(compare(NAME, 'the same, p99', 'p99', sides, P99_BUDGET))
  }
  return results
}
