import { Kysely, PostgresDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type pg from 'pg'

import { makePool } from './db.ts'

/**
 * Brings the database to the newest schema; migrations only go forward. Several processes may call it at once: the
 * first does the work.
 * @throws what the failing migration threw
 */
export async function migrate(
  config: pg.PoolConfig,
  migrations: Record<string, Migration>,
): Promise<string[]> {
  const db = new Kysely<unknown>({
    // The statement that loses its connection throws as well.
    dialect: new PostgresDialect({ pool: makePool({ ...config, max: 1 }, () => {}) }),
  })
  try {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => migrations },
      // Migrations of parallel branches may be merged out of their numbers' order.
      allowUnorderedMigrations: true,
    })
    const { error, results } = await migrator.migrateToLatest()
    if (error) throw error
    return (results ?? []).map((result) => result.migrationName)
  } finally {
    await db.destroy()
  }
}
