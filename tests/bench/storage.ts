import { randomFillSync } from 'node:crypto'

import type pg from 'pg'

import { ROOT, UPLOAD_PART } from '#contract/files/schema.ts'

import { beginning } from '../support/tus.ts'
import { makeRoom } from './chat-people.ts'
import { startDownloads } from './downloads.ts'
import { BUDGET, risen, SIZE, timed, transfer } from './files.ts'
import { type Organisation, withClient } from './fixture.ts'
import { drive, interleave, type Load, median, requestJson, type Sample } from './measure.ts'
import { startNginx } from './nginx.ts'
import { absolute, compare, ms, type Result } from './report.ts'
import { type BenchProduct, type Stage, targetOf } from './stage.ts'

const NAME = 'storage'
const FOLDERS = 5_000
const ROOTS = 50
const FILES_EACH = 20
const ROUNDS = 5
const ONE_BY_ONE: Load = { requests: 10, concurrency: 1 }
const DOWNLOADS = 20
/** The default maximum size of a file, so that sending dominates the time. */
const DOWNLOADED = 100_000_000
/** Allowed factor of p99 beside downloads (design §10, as for chat beside lists). */
const P99_BUDGET = 4
/** Calls of each kind during downloads. */
const MEANWHILE: Load = { requests: 10, concurrency: 1 }

/** Adds folders in two levels, with files in each, and returns the id of the first. */
async function addFiles(
  client: pg.Client,
  { id: organisationId }: Organisation,
  folders: number,
): Promise<number> {
  const { rows } = await client.query<{ base: number }>(
    'select coalesce(max(id), 0)::int as base from file_items',
  )
  const { base } = rows[0]!
  const roots = Math.min(ROOTS, folders)
  const columns = `(id, organisation_id, parent_id, path, root_id, is_folder, name, extension, name_key, size, created_by,
    create_timestamp, update_timestamp)`
  const values = [organisationId, base, roots]
  // The first folders lie in the root, the others in one of them.
  await client.query(
    `insert into file_items ${columns} overriding system value
     select $2::bigint + n, $1::uuid, case when n <= $3 then 0 else $2 + 1 + n % $3 end,
       case when n <= $3 then '{}'::bigint[] else array[$2::bigint + 1 + n % $3] end,
       case when n <= $3 then $2 + n else $2 + 1 + n % $3 end, true, 'Folder ' || n, '', 'folder ' || n, 0, 'bench',
       now() - n * interval '1 minute', now() - n * interval '1 minute'
     from generate_series(1, $4::int) n`,
    [...values, folders],
  )
  await client.query(
    `insert into file_items ${columns} overriding system value
     select $2::bigint + $3::int + 1 + n, $1::uuid, f.id, f.path || f.id, f.root_id, false,
       (array['Plan', 'Report', 'Map', 'List'])[1 + n % 4] || ' of the ' || (array['harbour', 'plant', 'office'])[1 + n % 3] || ' ' || n,
       'pdf', 'file ' || n || '.pdf', n % 100000, 'bench', now() - n * interval '1 second', now() - n * interval '1 second'
     from generate_series(0, $3::int * ${FILES_EACH} - 1) n join file_items f on f.id = $2 + 1 + n % $3`,
    [organisationId, base, folders],
  )
  await client.query(
    `select setval(pg_get_serial_sequence('file_items', 'id'), (select max(id) from file_items))`,
  )
  return base + 1
}

const query = (parts: Readonly<Record<string, unknown>>) =>
  `?${new URLSearchParams(Object.entries(parts).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))}`
const PAGE = { range: [0, 99] }
const LISTS: readonly (readonly [string, (first: number) => string])[] = [
  ['a folder is opened', (first) => `/sfs/folder/${first}${query(PAGE)}`],
  ['the root, newest first', () => `/sfs/folder/0${query({ ...PAGE, sort: ['updateTimestamp', 'DESC'] })}`],
  ['a search by two words', () => `/sfs/search${query({ ...PAGE, query: 'harbour 42' })}`],
  [
    'a search by one, sorted by size',
    () => `/sfs/search${query({ ...PAGE, query: 'report', sort: ['size', 'DESC'] })}`,
  ],
]

/** 100,000 files in 5,000 folders against 400 in 20: the calls of a page, and a moved folder. */
async function inThousands(bench: BenchProduct, many: number, few: number): Promise<Result[]> {
  const results: Result[] = []
  for (const [what, pathOf] of LISTS) {
    const samples = await interleave(ROUNDS, {
      product: () => drive(targetOf(bench, { path: pathOf(many) }), ONE_BY_ONE),
      floor: () => drive(targetOf(bench, { path: pathOf(few) }, bench.smallAdmin), ONE_BY_ONE),
    })
    results.push(compare(NAME, `100,000 files: ${what}`, 'p50', [samples.product, samples.floor], null))
  }
  return [...results, ...(await moving(bench, many))]
}

/** Moves a subtree there and back, without a floor. */
async function moving(bench: BenchProduct, root: number): Promise<Result[]> {
  const move = async (ids: readonly number[], parentFolderId: number) => {
    const body = () => JSON.stringify({ ids, parentFolderId })
    await requestJson(targetOf(bench, { method: 'POST', path: '/sfs/move', body }))
  }
  const measured = async (what: string, ids: readonly number[]) => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      times.push((await timed(() => move(ids, root))).p50)
      await move(ids, ROOT)
    }
    return absolute(NAME, what, ms(median(times)))
  }
  return [
    await measured('a folder of 2,100 files and folders is moved', [root + 1]),
    await measured(
      '24 of them at once, 50,000',
      Array.from({ length: 24 }, (_, n) => root + 2 + n),
    ),
  ]
}

async function sendInParts({ product, admin }: BenchProduct, bytes: Buffer, name: string): Promise<void> {
  const { headers } = admin
  const url = `${product.url}/api/sfs/uploads`
  const begun = await transfer({
    method: 'POST',
    url,
    headers: { ...headers, ...beginning(name, bytes.length) },
  })
  const { id } = JSON.parse(begun.text) as { id: string }
  for (let offset = 0; offset < bytes.length; offset += UPLOAD_PART)
    await transfer({
      method: 'PATCH',
      url: `${url}/${id}`,
      headers: {
        ...headers,
        'Tus-Resumable': '1.0.0',
        'Upload-Offset': String(offset),
        'Content-Type': 'application/offset+octet-stream',
      },
      parts: [bytes.subarray(offset, offset + UPLOAD_PART)],
    })
}

async function idNamed(bench: BenchProduct, name: string): Promise<number> {
  const found = await requestJson<{ id: number }[]>(
    targetOf(bench, { path: `/sfs/search${query({ query: name })}` }),
  )
  return found[0]!.id
}

/** A file of 100 MB in resumable parts, against nginx, which takes it in one. */
async function inParts(bench: BenchProduct): Promise<Result[]> {
  const nginx = await startNginx()
  if (!nginx) return []
  try {
    const bytes = randomFillSync(Buffer.allocUnsafe(SIZE))
    bytes.write('%PDF-1.7\n')
    const { result: samples, mb } = await risen(bench.product.pid, () =>
      interleave(ROUNDS, {
        product: () => timed(() => sendInParts(bench, bytes, 'resumable.pdf')),
        floor: () => timed(() => transfer({ method: 'PUT', url: `${nginx.url}/large.pdf`, parts: [bytes] })),
      }),
    )
    return [
      compare(
        NAME,
        '100 MB up in four parts, against nginx',
        'p50',
        [samples.product, samples.floor],
        BUDGET,
      ),
      absolute(NAME, 'memory risen meanwhile (VmRSS)', `${mb.toFixed(0)} MB`),
    ]
  } finally {
    await nginx.stop()
  }
}

/** Lists and messages while twenty people download. */
async function whileDownloading(bench: BenchProduct, folder: number): Promise<Result[]> {
  const bytes = randomFillSync(Buffer.allocUnsafe(DOWNLOADED))
  bytes.write('%PDF-1.7\n')
  await sendInParts(bench, bytes, 'downloaded.pdf')
  const id = await idNamed(bench, 'downloaded')
  const roomId = await makeRoom(bench.product.url, bench.admin, [])
  const { headers } = bench.admin
  const list = () => drive(targetOf(bench, { path: `/sfs/folder/${folder}${query(PAGE)}` }), MEANWHILE)
  const message = () =>
    drive(
      targetOf(bench, {
        method: 'POST',
        path: `/chat/rooms/${roomId}/messages`,
        body: () => JSON.stringify({ clientId: crypto.randomUUID(), text: 'All is well.' }),
      }),
      MEANWHILE,
    )
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
    ['a folder', list],
    ['a message', message],
  ] as const) {
    const samples = await interleave(ROUNDS, { product: () => loaded(work), floor: work })
    const sides = [samples.product, samples.floor] as const
    results.push(compare(NAME, `${what} while 20 download, p50`, 'p50', sides, null))
    results.push(compare(NAME, 'the same, p99', 'p99', sides, P99_BUDGET))
  }
  return results
}

const seeded = new WeakMap<Stage, Promise<{ many: number; few: number }>>()
/** Fills both organisations of a stage once. Returns the first folder of each. */
async function seed(stage: Stage): Promise<{ many: number; few: number }> {
  const bench = await stage.bench()
  return withClient(bench.connection, async (client) => {
    await client.query(
      `update organisations set config = config || '{"fileQuotaMegabytes": 20000}' where id = $1`,
      [bench.large.id],
    )
    const many = await addFiles(client, bench.large, FOLDERS)
    const few = await addFiles(client, bench.small, 20)
    await client.query('vacuum analyze file_items')
    return { many, few }
  })
}
function foldersOn(stage: Stage) {
  const folders = seeded.get(stage) ?? seed(stage)
  seeded.set(stage, folders)
  return folders
}

/** Many secure files: lists, searches and moves. */
export async function storage(stage: Stage): Promise<Result[]> {
  const { many, few } = await foldersOn(stage)
  return inThousands(await stage.bench(), many, few)
}

/** Large secure files, uploaded in parts. */
export async function storageParts(stage: Stage): Promise<Result[]> {
  await foldersOn(stage)
  return inParts(await stage.bench())
}

/** Concurrent downloads of secure files. */
export async function storageDownloads(stage: Stage): Promise<Result[]> {
  const { many } = await foldersOn(stage)
  return whileDownloading(await stage.bench(), many)
}
