import type pg from 'pg'

import type { Settings } from '../core/settings.ts'
import { unusable } from '../core/start-problems.ts'
import { type LocalDatabase, startLocal } from './local.ts'
import { holdFolder, makeFolder } from './lock.ts'
import { endRestore } from './unfinished-restore.ts'

export interface StartedDatabase extends Pick<LocalDatabase, 'failed' | 'onLog' | 'stop'> {
  readonly connection: pg.PoolConfig
  /** True for a database that a product may be running on, whose schema is left as it is. */
  readonly isShared?: boolean
}

/**
 * Creates the data folder, and unless the settings name a server locks it and starts PostgreSQL in it.
 * @throws CannotStart when the folder cannot be used or the database does not start
 */
export async function startDatabase({ dataDir, databaseUrl }: Settings): Promise<StartedDatabase> {
  try {
    makeFolder(dataDir)
  } catch (error) {
    throw unusable(dataDir, error)
  }
  if (databaseUrl) {
    await endRestore(dataDir)
    return {
      connection: { connectionString: databaseUrl },
      failed: new Promise(() => {}),
      onLog: () => {},
      stop: async () => {},
    }
  }
  const hold = await holdFolder(dataDir)
  try {
    await endRestore(dataDir)
    const local = await startLocal(dataDir)
    return { ...local, stop: () => local.stop().finally(() => hold.release()) }
  } catch (error) {
    await hold.release()
    throw error
  }
}
