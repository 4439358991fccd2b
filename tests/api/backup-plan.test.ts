import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test, vi } from 'vitest'

import { lastDue } from '#server/kit/backup/plan.ts'

import { runCommand } from '../support/backups.ts'
import { startProduct } from '../support/product.ts'

vi.setConfig({ testTimeout: 120_000 })

const aFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-plan-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('a product with a plan makes a backup, keeps the newest, and says how old it is', async () => {
  const folder = await aFolder()
  const [key, backups, target] = [join(folder, 'key'), join(folder, 'backups'), join(folder, 'target')]
  await runCommand('backup', ['--new-key', key])
  await mkdir(backups)
  const [oldest, older] = ['muster-2020-01-01T02-00-00Z.backup', 'muster-2020-01-02T02-00-00Z.backup']
  for (const name of [oldest, older, 'of somebody else']) await writeFile(join(backups, name), 'x')
  const product = await startProduct({
    DEMO: '0',
    BACKUP_TO: backups,
    BACKUP_KEY_FILE: key,
    BACKUP_KEEP: '2',
  })
  onTestFinished(() => product.stop())
  const newest = await vi.waitFor(
    async () => {
      const names = await readdir(backups)
      expect(names).not.toContain(oldest)
      const made = names.find((name) => name.endsWith('.backup') && !name.startsWith('muster-2020'))
      expect(made).toBeDefined()
      expect(names.toSorted()).toEqual([older, made, 'of somebody else'])
      return made!
    },
    { timeout: 60_000, interval: 200 },
  )
  const ready = await vi.waitFor(async () => {
    const answer = (await (await fetch(`${product.url}/health/ready`)).json()) as { newestBackup?: string }
    expect(answer.newestBackup).toBeDefined()
    return answer
  })
  expect(ready).toEqual({ status: 'ready', newestBackup: expect.stringMatching(/^20\d\d-/) })
  const metrics = await (await fetch(`${product.url}/metrics`)).text()
  expect(Number(/^muster_backup_age_seconds (\S+)/m.exec(metrics)![1])).toBeLessThan(120)
  const restored = await runCommand('restore', [join(backups, newest), '--key-file', key], {
    env: { DATA_DIR: target },
  })
  expect([restored.code, restored.said]).toEqual([0, expect.stringContaining('is restored')])
})

test('a plan that fails is a warning', async () => {
  const folder = await aFolder()
  const key = join(folder, 'key')
  await runCommand('backup', ['--new-key', key])
  // A file in the place of the folder.
  const product = await startProduct({ DEMO: '0', BACKUP_TO: key, BACKUP_KEY_FILE: key })
  onTestFinished(() => product.stop())
  await vi.waitFor(
    async () => {
      const answer = await (await fetch(`${product.url}/health/ready`)).json()
      expect(answer).toEqual({
        status: 'ready',
        warnings: [expect.stringContaining('The planned backup failed')],
      })
    },
    { timeout: 30_000 },
  )
})

test('a backup is due at the last planned time, today or yesterday', () => {
  const at = (hours: number, minutes = 0) => new Date(2026, 2, 10, hours, minutes).getTime()
  expect(lastDue({ hours: 2, minutes: 30 }, at(5))).toBe(at(2, 30))
  expect(lastDue({ hours: 2, minutes: 30 }, at(2, 30))).toBe(at(2, 30))
  expect(lastDue({ hours: 2, minutes: 30 }, at(1))).toBe(new Date(2026, 2, 9, 2, 30).getTime())
})
