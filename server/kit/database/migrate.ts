import { Kysely, PostgresDialect, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration'
import type pg from 'pg'

import { makePool } from './db.ts'

/** PostgreSQL's undefined_table. */
const NO_SUCH_TABLE = '42P01'

/** Whether exactly these migrations have run: the migrator takes some 80 ms to find that there is nothing to do. */
async function isNewest(db: Kysely<unknown>, names: readonly string[]): Promise<boolean> {
  try {
    const { rows } = await sql<{
      name: string
    }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db)
    const applied = new Set(rows.map(({ name }) => name))
    return applied.size === names.length && names.every((name) => applied.has(name))
  } catch (error) {
    if ((error as { code?: unknown }).code === NO_SUCH_TABLE) return false
    throw error
  }
}

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
    if (await isNewest(db, Object.keys(migrations))) return []
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
