import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startLocal } from '#server/kit/database/local.ts'

/** A separate PostgreSQL in a temporary folder, for several processes of the product. */
export interface Cluster {
  readonly url: string
  stop(): Promise<void>
}

/** The URL of a database by its socket's folder. */
export const urlAt = (folder: string, user: 'muster' | 'postgres' = 'muster'): string =>
  `postgresql://${user}@localhost/postgres?host=${encodeURIComponent(folder)}`

export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-pg-'))
  const local = await startLocal(folder)
  return {
    url: urlAt(local.connection.host),
    stop: async () => {
      await local.stop()
      await rm(folder, { recursive: true })
    },
  }
}
