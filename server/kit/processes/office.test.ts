import { chmod, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, expect, test, vi } from 'vitest'

import { officeAsPdf } from './office.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

/** True for a running process, false for one that has ended and was not collected yet. */
const isAlive = async (pid: number) =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    (stat) => !/\) [ZX] /.test(stat),
    () => false,
  )

test('a converter that does not end is ended with all that it started, and leaves nothing', async () => {
  const place = await mkdtemp(join(tmpdir(), 'muster-endless-'))
  // Folders of documents lie here.
  vi.stubEnv('TMPDIR', place)
  const converter = join(place, 'soffice')
  await writeFile(converter, `#!/bin/sh\nsleep 1000 &\ntouch ${place}/started\nwait\n`)
  await chmod(converter, 0o755)
  const started = () => readdir(place).then((names) => names.includes('started'))
  const read = async () => Buffer.from('slides')
  await officeAsPdf({ converter: '/usr/bin/true', extension: 'ppt', read }).catch(() => {})

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const endless = Promise.allSettled([officeAsPdf({ converter, extension: 'ppt', read })])
  while (!(await started())) await new Promise((resolve) => setImmediate(resolve))
  const sleeping = await processesOf(place)
  vi.advanceTimersByTime(60_000)
  const [result] = await endless
  vi.useRealTimers()
  expect(result).toMatchObject({ status: 'rejected', reason: { status: 413 } })
  await expect.poll(async () => (await Promise.all(sleeping.map(isAlive))).includes(true)).toBe(false)
  expect((await readdir(place)).toSorted()).toEqual(['soffice', 'started'])
  await rm(place, { recursive: true })
})

/** Processes whose working directory lies in a folder. */
async function processesOf(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) =>
      (await readlink(`/proc/${pid}/cwd`).catch(() => '')).startsWith(folder) ? [Number(pid)] : [],
    ),
  )
  return found.flat()
}
