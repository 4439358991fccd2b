import { randomBytes } from 'node:crypto'
import { readdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'

import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'

import type { InterruptedUpload, StorageItem } from '#contract/files/schema.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import { chores } from '#server/kit/jobs/housekeeping.ts'
import { readSettings } from '#server/kit/core/settings.ts'
import { startMuster } from '#server/start.ts'
import { sha256 } from '#tests/support/attachments.ts'
import { DEMO_PASSWORD, signIn, startProduct } from '#tests/support/product.ts'
import { tusFor } from '#tests/support/tus.ts'

const UPLOADS = 50
const SIZE = 400_000
const PART = 64_000
const KILLED_AFTER = 120

test(
  'a process that is killed during 50 uploads loses no part that it acknowledged, and shows no half file',
  { timeout: 180_000 },
  async () => {
    const product = await startProduct()
    onTestFinished(() => rm(product.dataDir, { recursive: true, force: true }))
    const { headers } = await signIn(product.url, 'admin@demo.example')
    const { 'Content-Type': _, ...rest } = headers
    const tus = tusFor(`${product.url}/api`, rest)
    const files = Array.from({ length: UPLOADS }, (_file, n) => ({
      name: `file ${n}.pdf`,
      bytes: Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(SIZE - 9)]),
    }))
    /** Acknowledged offset of each upload, by id. */
    const acknowledged = new Map<string, { bytes: Buffer<ArrayBuffer>; offset: number }>()
    let parts = 0
    const begun = await Promise.all(
      files.map(async ({ name, bytes }) => ({ bytes, id: await tus.begin(name, SIZE) })),
    )
    for (const { id, bytes } of begun) acknowledged.set(id, { bytes, offset: 0 })
    const sent = begun.map(async ({ id, bytes }) => {
      for (let offset = 0; offset < SIZE;) {
        const answer = await tus.send(id, offset, bytes.subarray(offset, offset + PART))
        expect(answer.status).toBe(204)
        ;({ offset } = answer)
        acknowledged.set(id, { bytes, offset })
        parts += 1
        if (parts === KILLED_AFTER) void product.kill('SIGKILL')
      }
    })
    await Promise.allSettled(sent)
    await product.kill('SIGKILL')
    expect(parts).toBeGreaterThanOrEqual(KILLED_AFTER)

    const settings = readSettings({ PORT: '0', DATA_DIR: product.dataDir, DEMO_PASSWORD, LOG_LEVEL: 'fatal' })
    const muster = await startMuster(settings, {
      log: pino({ level: 'fatal' }),
      siteDir: join(import.meta.dirname, '../../dist'),
    })
    onTestFinished(() => muster.stop())
    const again = await signIn(muster.url, 'admin@demo.example')
    const { 'Content-Type': __, ...restAgain } = again.headers
    const stored = async () =>
      ((await again.call('GET', '/sfs/search?query=file')).body as StorageItem[]).filter(
        ({ isFolder }) => !isFolder,
      )
    for (const file of await stored()) expect(file.size).toBe(SIZE)
    const open = (await again.call('GET', '/sfs/uploads')).body as InterruptedUpload[]
    expect(open.length + (await stored()).length).toBe(UPLOADS)
    expect(open.length).toBeGreaterThan(0)
    const resumed = tusFor(`${muster.url}/api`, restAgain)
    // One upload is left to expire.
    const [forgotten, ...others] = open
    for (const { id, offset } of others) {
      const known = acknowledged.get(id)!
      expect(offset).toBeGreaterThanOrEqual(known.offset)
      expect((await resumed.send(id, offset, known.bytes.subarray(offset))).status).toBe(204)
    }
    const digests = new Set(files.map(({ bytes }) => sha256(bytes)))
    const whole = await stored()
    expect(whole).toHaveLength(UPLOADS - 1)
    for (const { id } of whole) {
      const response = await fetch(`${muster.url}/api/sfs/${id}`, { headers: restAgain })
      expect(digests.delete(sha256(Buffer.from(await response.arrayBuffer())))).toBe(true)
    }

    const { blobs, database } = muster.services
    const system = { kind: 'system', id: null, name: 'test' } as const
    await database.withProvider(system, (db) =>
      db
        .updateTable('file_uploads')
        .set({ expires_timestamp: new Date(clock.now() - DAY).toISOString() })
        .where('id', '=', forgotten!.id)
        .execute(),
    )
    const folder = join(product.dataDir, 'files')
    const onDisk = async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    const old = new Date(clock.now() - 2 * DAY)
    for (const { parentPath, name } of await onDisk()) await utimes(join(parentPath, name), old, old)
    const all = chores({ database, blobs })
    expect(await all.get('uploads')!.run()).toBe(1)
    await all.get('files')!.run()
    const kept = await database.withProvider(system, async (db) => ({
      blobs: (await db.selectFrom('blobs').select('id').execute()).map(({ id }) => id),
      versions: (await db.selectFrom('file_versions').select('blob_id').execute()).map((row) => row.blob_id),
    }))
    const sorted = (ids: readonly string[]) => ids.toSorted((a, b) => a.localeCompare(b))
    expect(sorted((await onDisk()).map(({ name }) => name))).toEqual(sorted(kept.blobs))
    expect(sorted(kept.versions)).toEqual(sorted(kept.blobs))
  },
)
