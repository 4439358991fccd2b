import { flushCompileCache } from 'node:module'
import { join } from 'node:path'

import pino from 'pino'

import { buildWhenOutOfDate } from './build.ts'
import { releaseMemorySoon } from './kit/memory.ts'
import { readSettings, WrongSetting } from './kit/settings.ts'
import { startMuster } from './start.ts'

try {
  const settings = readSettings(process.env)
  await buildWhenOutOfDate()
  const log = pino({ level: settings.logLevel }, pino.destination({ dest: 2, sync: false }))
  const muster = await startMuster(settings, { log, siteDir: join(import.meta.dirname, '../dist') })
  for (const line of muster.welcome) console.log(line)
  log.debug({ ms: Math.round(performance.now()) }, 'ready')
  releaseMemorySoon()
  // Otherwise only a process that ends in peace leaves it to the next one.
  flushCompileCache()

  let stopping = false
  const stop = (signal: string) => {
    // Asked twice, somebody is in a hurry: what was acknowledged is safe already.
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
  process.on('SIGINT', () => stop('SIGINT'))
  process.on('SIGTERM', () => stop('SIGTERM'))
  void muster.failed.then((error) => {
    console.error(error.message)
    process.exit(1)
  })
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}

/** A sentence for whoever starts the product. Only a surprise shows where in the code it happened. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE') return 'The port is in use. Stop what uses it, or set PORT to another one.'
  if (code === 'EADDRNOTAVAIL') return 'This machine has no such address. Set HOST to one that it has.'
  if (code === 'EACCES')
    return `Muster may not use this port or folder (${error.message}). Set PORT or DATA_DIR.`
  return error instanceof WrongSetting || error.name === 'FolderHeld'
    ? error.message
    : (error.stack ?? error.message)
}
