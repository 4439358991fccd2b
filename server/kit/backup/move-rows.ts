import type pg from 'pg'

import { CannotStart } from '../core/start-problems.ts'
import { appliedMigrations, unknownMigrations } from '../database/migrate.ts'
import { openLoading } from './load.ts'
import { openSnapshot } from './snapshot.ts'
import { PLAIN_VALUES } from './tables.ts'
import type { Filling } from './target.ts'
import type { Progress } from './write-backup.ts'

/**
 * Copies every row of one moment from a database into a target, and compares each table by count and digest. Commits
 * nothing.
 * @returns the number of rows
 * @throws CannotStart where the source holds no installation, or one of a newer version
 */
export async function moveRows(
  source: pg.Client,
  { client }: Pick<Filling, 'client'>,
  migrations: string,
  onProgress: (progress: Progress) => void = () => {},
): Promise<number> {
  await source.query(PLAIN_VALUES)
  const applied = await appliedMigrations(source)
  if (applied === null) throw new CannotStart('The database holds no installation of Muster.')
  const [unknown] = unknownMigrations(migrations, applied)
  if (unknown !== undefined)
    throw new CannotStart(
      `The database is of a newer version of Muster, which has the migration ${unknown}. Move it with that version.`,
    )
  const snapshot = await openSnapshot(source, (done, of) => onProgress({ doing: 'counting', done, of }))
  const { tables } = snapshot
  const loading = await openLoading(client, migrations, { ...snapshot, migrations: applied })
  for (const [done, table] of tables.entries()) {
    onProgress({ doing: 'tables', done, of: tables.length })
    if (table.rows > 0) await loading.load(table, snapshot.read(table))
  }
  await loading.finish(await snapshot.sequences(), (done, of) => onProgress({ doing: 'comparing', done, of }))
  await snapshot.end()
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}
