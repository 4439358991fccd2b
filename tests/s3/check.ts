import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Bucket } from '#server/kit/blobs/s3.ts'
import { sha256 } from '#tests/support/attachments.ts'
import { HAS_CEPH, startCeph } from '#tests/support/ceph.ts'
import { type Product, signIn, startProduct } from '#tests/support/product.ts'
import { s3Environment } from '#tests/support/s3.ts'
import { tusFor } from '#tests/support/tus.ts'

/*
 * `npm run check:s3`: the product keeps its files in a bucket of Ceph, a real implementation of S3. Files are
 * uploaded in parts, read whole and by range, moved to the disk and back, and deleted.
 */
const MOVE = join(import.meta.dirname, '../../server/move-files.ts')
const aPdf = (size: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(size - 9)])
const said = (sentence: string) => console.log(`ok  ${sentence}`)

/** Calls the file endpoints of a running product as the administrator. */
async function storageOf({ url }: Product) {
  const { headers, call } = await signIn(url, 'admin@demo.example')
  const { 'Content-Type': _, ...who } = headers
  return {
    call,
    tus: tusFor(`${url}/api`, who),
    digestOf: async (id: number) => {
      const response = await fetch(`${url}/api/sfs/${id}`, { headers: who })
      assert.equal(response.status, 200)
      return sha256(Buffer.from(await response.arrayBuffer()))
    },
    partOf: async (id: number, from: number, to: number) => {
      const { body } = await call('POST', `/sfs/item/${id}/preview`, {})
      const response = await fetch(`${url}/api${body.path}`, { headers: { Range: `bytes=${from}-${to}` } })
      assert.equal(response.status, 206)
      return Buffer.from(await response.arrayBuffer())
    },
  }
}

async function check(dataDir: string, bucket: Bucket, env: Record<string, string>): Promise<void> {
  const move = (...args: string[]) =>
    execFileSync(process.execPath, [MOVE, ...args], {
      env: { ...process.env, ...env, DATA_DIR: dataDir },
      encoding: 'utf8',
    }).trim()
  const during = async <T>(
    settings: Record<string, string>,
    work: (storage: Awaited<ReturnType<typeof storageOf>>) => Promise<T>,
  ): Promise<T> => {
    const product = await startProduct(settings, dataDir)
    try {
      return await work(await storageOf(product))
    } finally {
      await product.kill('SIGTERM')
    }
  }
  const objects = async () => {
    const keys: string[] = []
    for await (const { key } of bucket.list('files/')) keys.push(key)
    return keys.length
  }
  const onDisk = async () =>
    (await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    ).length

  // Larger than a part of S3, so that both files become multipart objects.
  const bytes = aPdf(20_000_000)
  const files = await during(env, async ({ tus, digestOf, partOf }) => {
    const send = async (name: string, ...cuts: number[]) => {
      const upload = await tus.begin(name, bytes.length)
      const answers = []
      for (const [n, from] of cuts.entries())
        answers.push(await tus.send(upload, from, bytes.subarray(from, cuts[n + 1])))
      return Number(answers.at(-1)!.headers.get('File-Id'))
    }
    const ids = [await send('whole.pdf', 0), await send('parts.pdf', 0, 7_000_001, 15_000_000)]
    for (const id of ids) {
      assert.equal(await digestOf(id), sha256(bytes))
      for (const [from, to] of [
        [0, 9],
        [6_999_990, 15_000_010],
        [19_999_990, 19_999_999],
      ] as const)
        assert.ok((await partOf(id, from, to)).equals(bytes.subarray(from, to + 1)), `${from}-${to}`)
    }
    return ids
  })
  said('Files were uploaded in one piece and in parts, and read whole and by range.')
  assert.deepEqual(await bucket.listUploads('files/'), [])

  const areThere = ({ digestOf }: Awaited<ReturnType<typeof storageOf>>) =>
    Promise.all(files.map(async (id) => assert.equal(await digestOf(id), sha256(bytes))))
  await during(env, areThere)
  said('They are there after a restart.')

  const stored = await objects()
  const moved = `${stored} files were copied, and 0 were there already. Each was read and has its hash.`
  assert.equal(move('--to', 'disk', '--remove'), moved)
  assert.deepEqual([await objects(), await onDisk()], [0, stored])
  await during({}, areThere)
  assert.equal(move('--to', 's3', '--remove'), moved)
  assert.deepEqual([await objects(), await onDisk()], [stored, 0])
  said('All files moved to the disk and back, and the product went on with them.')

  await during(env, async (storage) => {
    await areThere(storage)
    for (const id of files) {
      assert.equal((await storage.call('DELETE', `/sfs/${id}`)).status, 204)
      assert.equal((await storage.call('DELETE', `/sfs/trash/${id}`)).status, 204)
    }
    for (let tries = 0; (await objects()) > stored - files.length && tries < 100; tries++)
      await new Promise((resolve) => setTimeout(resolve, 100))
    assert.equal(await objects(), stored - files.length)
  })
  said('What was deleted for good has left the bucket.')
}

if (!HAS_CEPH) console.log('Skipped: Ceph is needed, from ceph-mon, ceph-osd, ceph-common and radosgw.')
else {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-s3-'))
  const ceph = await startCeph()
  try {
    await check(dataDir, new Bucket(ceph.settings), s3Environment(ceph))
  } finally {
    await ceph.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
