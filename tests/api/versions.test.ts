import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { runCommand } from '../support/backups.ts'
import { signIn, startProduct } from '../support/product.ts'

/**
 * Backups of the demonstration by each version, named by it and its last migration. One is added with each new version:
 * `npm run backup` with the passphrase of `tests/support/backups.ts` beside a product with `DEMO_PASSWORD` of `product.ts`.
 */
const VERSIONS = join(import.meta.dirname, '../versions')
const versions = (await readdir(VERSIONS)).filter((name) => name.endsWith('.backup'))

test('earlier versions are kept', () => {
  expect(versions).toContain('1.14.10-0086.backup')
})

test.for(versions)('an installation of %s starts with what it had', { timeout: 120_000 }, async (name) => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-version-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { code, said } = await runCommand('restore', [join(VERSIONS, name)], { env: { DATA_DIR: folder } })
  expect(code, said).toBe(0)
  const product = await startProduct({}, folder)
  try {
    const { call } = await signIn(product.url, 'admin@demo.example')
    const incidents = await call('GET', '/incident')
    expect(incidents.body.data.map(({ title }: { title: string }) => title)).toContain(
      'Booking system encrypted by ransomware',
    )
    for (const path of [
      '/useradmin/groups',
      '/sfs/recent',
      '/playbook/templates',
      '/contact/lists',
      '/followUps',
    ])
      expect([path, (await call('GET', path)).status]).toEqual([path, 200])
    const declared = await call('POST', '/incident', {
      title: 'Flood',
      severity: 'LOW',
      fullText: 'Water rises.',
      isTabletop: false,
    })
    expect(declared.status).toBe(201)
  } finally {
    await product.stop()
  }
})
