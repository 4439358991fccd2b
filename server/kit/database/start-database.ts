import type pg from 'pg'

import type { Settings } from '../core/settings.ts'
import { unusable } from '../core/start-problems.ts'
import { type LocalDatabase, startLocal } from './local.ts'
import { holdFolder, makeFolder } from './lock.ts'
import { endRestore } from './unfinished-restore.ts'
import { copyBeforeUpdate, type Update } from './update-copy.ts'

export interface StartedDatabase extends Pick<LocalDatabase, 'failed' | 'onLog' | 'stop'> {
  readonly connection: pg.PoolConfig
  /** True for commands of the operator, which leave the schema as it is: a product may run on it. */
  readonly isShared?: boolean
  /** The copy of an embedded database that is about to be migrated. */
  readonly update?: Update | null
}

/**
 * Creates the data folder, and unless the settings name a server locks it and starts PostgreSQL in it.
 * @param migrations folder of the migrations that will follow, before which a copy is kept
 * @throws CannotStart when the folder cannot be used or the database does not start
 */
export async function startDatabase(
  { dataDir, databaseUrl }: Settings,
  migrations?: string,
): Promise<StartedDatabase> {
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
    const update = migrations === undefined ? null : await copyBeforeUpdate(dataDir, migrations)
    const local = await startLocal(dataDir)
    return { ...local, update, stop: () => local.stop().finally(() => hold.release()) }
  } catch (error) {
    await hold.release()
    throw error
  }
}
