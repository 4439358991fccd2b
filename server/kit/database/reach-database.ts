import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

import { SECOND } from '../core/clock.ts'
import type { Settings } from '../core/settings.ts'
import { CannotStart } from '../core/start-problems.ts'
import { databaseFolder } from './database-folder.ts'
import { findRunning } from './local.ts'
import { FolderInUse } from './lock.ts'
import { type StartedDatabase, startDatabase } from './start-database.ts'

/** Time for which a product on the data folder may be starting or stopping. */
const PATIENCE = 10 * SECOND

/**
 * The database of an installation, for a command of its operator: that of a server, that of the product which runs on
 * the data folder, or else one that is started for the command. Never creates one.
 * @throws CannotStart when there is none, or it cannot be reached
 */
export async function reachDatabase(settings: Settings): Promise<StartedDatabase> {
  const { dataDir, databaseUrl } = settings
  if (databaseUrl) return { ...(await startDatabase(settings)), isShared: true }
  if (!existsSync(databaseFolder(dataDir)))
    throw new CannotStart(
      `There is no database in ${dataDir}. Set DATA_DIR to the data folder of the installation, or DATABASE_URL.`,
    )
  const until = performance.now() + PATIENCE
  for (;;) {
    try {
      return { ...(await startDatabase(settings)), isShared: true }
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error
      const connection = findRunning(dataDir)
      if (connection)
        return {
          connection,
          failed: new Promise(() => {}),
          onLog: () => {},
          stop: async () => {},
          isShared: true,
        }
      if (performance.now() > until)
        throw new CannotStart(
          `The Muster on ${dataDir} is starting or stopping. Wait a moment, and try again.`,
          { cause: error },
        )
      await wait(200)
    }
  }
}
