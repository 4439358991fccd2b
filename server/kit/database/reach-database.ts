import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Settings } from '../core/settings.ts'
import { CannotStart } from '../core/start-problems.ts'
import { databaseFolder } from './database-folder.ts'
import { type Connection, OWNER } from './local.ts'
import { FolderInUse } from './lock.ts'
import { type StartedDatabase, startDatabase } from './start-database.ts'

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
  try {
    return await startDatabase(settings)
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    return {
      connection: connectionBeside(dataDir),
      failed: new Promise(() => {}),
      onLog: () => {},
      stop: async () => {},
      isShared: true,
    }
  }
}

/** The way to the database of a running product, by its `postmaster.pid`: lines of process, folder, start, port and socket. */
function connectionBeside(dataDir: string): Connection {
  let lines: string[]
  try {
    lines = readFileSync(join(databaseFolder(dataDir), 'postmaster.pid'), 'utf8').split('\n')
  } catch (cause) {
    throw new CannotStart(`The Muster on ${dataDir} is starting or stopping. Wait a moment, and try again.`, {
      cause,
    })
  }
  const [, , , port, socket] = lines
  const place = socket
    ? { host: socket, password: undefined }
    : { host: '127.0.0.1', password: readFileSync(join(dataDir, 'database-password'), 'utf8') }
  return { ...place, port: Number(port), user: OWNER, database: 'postgres' }
}
