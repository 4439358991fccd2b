import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

import { buildWhenOutOfDate } from './build.ts'
import { startDatabase } from './kit/database/start-database.ts'
import { readSettings } from './kit/core/settings.ts'
import { explain } from './kit/core/start-problems.ts'

// Until everything has started, a signal ends the process with all that it started.
let stop = (_signal: string): void => process.exit(1)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal))

try {
  const settings = readSettings(process.env)
  await buildWhenOutOfDate()
  // The database starts in its own process while this one loads the other modules.
  const starting = startDatabase(settings, join(import.meta.dirname, 'migrations'))
  starting.catch(() => {})
  // `import` links modules before it returns, so the database process is launched first.
  await setImmediate()
  const [{ startMuster }, { default: pino }, { releaseMemorySoon }] = await Promise.all([
    import('./start.ts'),
    import('pino'),
    import('./kit/core/memory.ts'),
  ])
  const log = pino({ level: settings.logLevel }, pino.destination({ dest: 2, sync: false }))
  const siteDir = join(import.meta.dirname, '../dist')
  const muster = await startMuster(settings, { log, siteDir, starting })
  for (const line of muster.welcome) console.log(line)
  log.debug({ ms: Math.round(performance.now()) }, 'ready')
  releaseMemorySoon()
  // Written now, because otherwise only a clean exit writes the cache.
  flushCompileCache()

  let stopping = false
  stop = (signal) => {
    // A second signal exits at once: acknowledged changes are stored already.
    if (stopping) process.exit(1)
    stopping = true
    log.debug({ signal }, 'stopping')
    muster.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  void muster.failed.then((error) => {
    console.error(error.message)
    process.exit(1)
  })
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}
