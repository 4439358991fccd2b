import { type Kysely, sql } from 'kysely'
import type pg from 'pg'

const KEY = `hashtextextended('muster backup', 0)`

/**
 * Tells every process of the installation that a backup runs, until the session ends. Returns false while another
 * backup runs.
 */
export async function holdForBackup(client: pg.ClientBase): Promise<boolean> {
  // Waits for removals that ask at this moment, which is shorter than any backup.
  await client.query(`set lock_timeout = '2s'`)
  try {
    await client.query(`select pg_advisory_lock(${KEY})`)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') return false
    throw error
  } finally {
    await client.query('set lock_timeout = 0')
  }
}

/**
 * True while a backup runs: then stored files stay, because the backup may still have to copy them. Ask after the
 * deletion of their rows is committed. A backup that begins later does not know the rows.
 */
export async function isBackupRunning<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock_shared(${sql.raw(KEY)}) as free`.execute(db)
  return !rows[0]!.free
}
