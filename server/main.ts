import { join } from 'node:path'

import pino from 'pino'

import { WrongSetting } from '#server/kit/settings.ts'
import { readSettings } from '#server/kit/settings.ts'

import { startMuster } from './start.ts'

const started = performance.now()
try {
  const settings = readSettings(process.env)
  const log = pino({ level: settings.logLevel }, pino.destination({ dest: 2, sync: false }))
  const muster = await startMuster(settings, { log, siteDir: join(import.meta.dirname, '../dist') })
  for (const line of muster.welcome) console.log(line)
  log.info({ ms: Math.round(performance.now() - started) }, 'ready')

  let stopping = false
  const stop = (reason: string) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ reason }, 'stopping')
    void muster.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error(error, 'stop')
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
  if (code === 'EACCES')
    return `Muster may not use this address or folder: ${error.message}. Set PORT or DATA_DIR.`
  return error instanceof WrongSetting || 'forPerson' in error
    ? error.message
    : (error.stack ?? error.message)
}
