import { randomBytes } from 'node:crypto'
import { readdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'

import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'

import type { StorageItem } from '#contract/files/schema.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import { readSettings } from '#server/kit/core/settings.ts'
import { startMuster } from '#server/start.ts'
import { formWith, sha256 } from '#tests/support/attachments.ts'
import { DEMO_PASSWORD, signIn, startProduct } from '#tests/support/product.ts'

const PEOPLE = 4
const ROUNDS = 6
const KILLED_AFTER = 9

test(
  'a process that is killed during uploads leaves whole files, and no bytes of others',
  { timeout: 120_000 },
  async () => {
    const product = await startProduct()
    onTestFinished(() => rm(product.dataDir, { recursive: true, force: true }))
    const { headers } = await signIn(product.url, 'admin@demo.example')
    const { 'Content-Type': _, ...rest } = headers
    const acknowledged = new Map<number, string>()
    const sent = Array.from({ length: PEOPLE }, async (_nobody, person) => {
      for (let round = 0; round < ROUNDS; round++) {
        const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(400_000)])
        const body = formWith(bytes, `file ${person} ${round}.pdf`)
        const response = await fetch(`${product.url}/api/sfs`, { method: 'POST', headers: rest, body })
        expect(response.status).toBe(201)
        acknowledged.set(((await response.json()) as StorageItem).id, sha256(bytes))
        if (acknowledged.size === KILLED_AFTER) void product.kill('SIGKILL')
      }
    })
    const outcomes = await Promise.allSettled(sent)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    await product.kill('SIGKILL')
    expect(acknowledged.size).toBeGreaterThanOrEqual(KILLED_AFTER)

    const settings = readSettings({ PORT: '0', DATA_DIR: product.dataDir, DEMO_PASSWORD, LOG_LEVEL: 'fatal' })
    const muster = await startMuster(settings, {
      log: pino({ level: 'fatal' }),
      siteDir: join(import.meta.dirname, '../../dist'),
    })
    onTestFinished(() => muster.stop())
    const again = await signIn(muster.url, 'admin@demo.example')
    const { body } = await again.call('GET', '/sfs/search?query=file')
    const files = (body as StorageItem[]).filter(({ isFolder }) => !isFolder)
    expect(files.map(({ id }) => id)).toEqual(expect.arrayContaining([...acknowledged.keys()]))
    for (const { id, sha256: digest } of files) {
      const response = await fetch(`${muster.url}/api/sfs/${id}`, { headers: again.headers })
      expect(sha256(Buffer.from(await response.arrayBuffer()))).toBe(digest)
      expect(acknowledged.get(id) ?? digest).toBe(digest)
    }

    const folder = join(product.dataDir, 'files')
    const onDisk = async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    const old = new Date(clock.now() - 2 * DAY)
    for (const { parentPath, name } of await onDisk()) await utimes(join(parentPath, name), old, old)
    await muster.services.blobs.sweep()
    const kept = await muster.services.database.withProvider(
      { kind: 'system', id: null, name: 'test' },
      async (db) => ({
        blobs: await db.selectFrom('blobs').select('id').execute(),
        versions: await db.selectFrom('file_versions').select('blob_id').execute(),
      }),
    )
    const idsOf = (ids: readonly string[]) => ids.toSorted((a, b) => a.localeCompare(b))
    const names = idsOf((await onDisk()).map(({ name }) => name))
    expect(names).toEqual(idsOf(kept.blobs.map(({ id }) => id)))
    expect(idsOf(kept.versions.map(({ blob_id }) => blob_id))).toEqual(names)
  },
)
