import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import pino from 'pino'
import { expect, inject, onTestFinished, test, vi } from 'vitest'

import { holdFolder } from '#server/kit/database/lock.ts'
import { readSettings } from '#server/kit/core/settings.ts'
import { explain } from '#server/kit/core/start-problems.ts'
import { startMuster } from '#server/start.ts'

import { fromTemplate } from '../support/database.ts'
import { startProduct } from '../support/product.ts'

vi.setConfig({ testTimeout: 60_000 })

test('a data folder that cannot be made is refused with a sentence', async () => {
  const base = await mkdtemp(join(tmpdir(), 'muster-test-'))
  onTestFinished(() => rm(base, { recursive: true }))
  const file = join(base, 'a-file')
  await writeFile(file, '')
  expect(await holdFolder(join(file, 'data')).catch(explain)).toMatch(
    /^The data folder .*a-file\/data cannot be used: .*\. Make it writable, or set DATA_DIR to another folder\.$/,
  )
})

/** The last output of a failing start, in its own process, because a start that hangs can only be killed. */
async function endOfStart(env: Record<string, string>): Promise<string> {
  const script = `import pino from 'pino'
    import { readSettings } from '#server/kit/core/settings.ts'
    import { explain } from '#server/kit/core/start-problems.ts'
    import { startMuster } from '#server/start.ts'
    await startMuster(readSettings(process.env), { log: pino({ level: 'silent' }), siteDir: '' })
      .then(() => console.log('started'), (error) => console.log(explain(error)))
    process.exit()`
  const started = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PORT: '0', DEMO: '0', ...env },
  })
  onTestFinished(() => void started.kill('SIGKILL'))
  const [said] = await Promise.all([text(started.stdout), once(started, 'exit')])
  return said.trim()
}

test.runIf(process.platform === 'linux').each(['/proc/muster', '/proc/muster/data'])(
  'a start with the data folder %s, where no folders can be made, ends with a sentence',
  async (folder) => {
    expect(await endOfStart({ DATA_DIR: folder })).toBe(
      `The data folder ${folder} cannot be used: ENOENT: no such file or directory, mkdir '/proc/muster'. ` +
        'Make it writable, or set DATA_DIR to another folder.',
    )
  },
)

test('a start without a key that can be read ends with a sentence', async () => {
  const place = await fromTemplate(inject('template'))
  onTestFinished(place.remove)
  await mkdir(join(place.dataDir, 'secret-key'))
  const settings = readSettings({
    PORT: '0',
    DEMO: '0',
    DATA_DIR: place.dataDir,
    DATABASE_URL: place.databaseUrl,
  })
  const started = startMuster(settings, { log: pino({ level: 'silent' }), siteDir: '' })
  expect(await started.catch(explain)).toMatch(
    /^The data folder .* cannot be used: EISDIR: .*\. Make it writable, or set DATA_DIR to another folder\.$/,
  )
})

test('an old Node is told so in a sentence', async () => {
  const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })"
  const started = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(old)}`, 'server/launch.mjs'],
    { stdio: ['ignore', 'inherit', 'pipe'] },
  )
  onTestFinished(() => void started.kill('SIGKILL'))
  const [said, [code]] = await Promise.all([text(started.stderr), once(started, 'exit')])
  expect([said.trim(), code]).toEqual([
    'Muster needs Node 24 or newer, and this is Node 20.1.0. Start it with npm start: that uses the Node that npm ci has installed.',
    1,
  ])
})

test('a stop does not wait for connections that browsers have opened ahead', async () => {
  const product = await startProduct({ DEMO: '0' })
  const { port } = new URL(product.url)
  const unused = connect(Number(port), '127.0.0.1')
  const ended = once(unused, 'close')
  await once(unused, 'connect')
  // A request on another connection shows that the server has accepted the one before.
  expect((await fetch(`${product.url}/health/live`)).status).toBe(200)
  expect(await product.kill('SIGTERM')).toBe(0)
  await ended
  await rm(product.dataDir, { recursive: true, force: true })
})
