import type pg from 'pg'

import type { Settings } from '../settings.ts'
import { unusable } from '../start-problems.ts'
import { startEmbedded } from './embedded.ts'
import { holdFolder, makeFolder } from './lock.ts'

export interface StartedDatabase {
  readonly connection: pg.PoolConfig
  /** Resolves if the embedded database ever stops by itself. */
  readonly failed: Promise<Error>
  stop(): Promise<void>
}

/**
 * Makes the data folder, and unless the settings name a server holds it and starts the embedded database in it.
 * @throws CannotStart when the folder cannot be used or the database does not start
 */
export async function startDatabase({ dataDir, databaseUrl }: Settings): Promise<StartedDatabase> {
  try {
    makeFolder(dataDir)
  } catch (error) {
    throw unusable(dataDir, error)
  }
  if (databaseUrl)
    return {
      connection: { connectionString: databaseUrl },
      failed: new Promise(() => {}),
      stop: async () => {},
    }
  const hold = await holdFolder(dataDir)
  try {
    const embedded = await startEmbedded(dataDir)
    const stop = () => embedded.stop().finally(() => hold.release())
    return { connection: embedded.connection, failed: embedded.failed, stop }
  } catch (error) {
    await hold.release()
    throw error
  }
}
