import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test, vi } from 'vitest'

import { Trial } from '../bench/kill.ts'

vi.setConfig({ testTimeout: 300_000 })

test('what was acknowledged outlives kill -9 of the product, and of its database too', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const trial = new Trial(await mkdtemp(join(tmpdir(), 'muster-kill-')))
  onTestFinished(() => trial.close())
  expect(await trial.run(4)).toBe(true)
})
