import type pg from 'pg'

/**
 * Changes an organisation's events, which the product never does. Row-level security binds the tables' owner
 * as well, so tampering has to disable it first.
 */
export async function tamperWithEvents(pool: pg.Pool, statement: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('alter table events no force row level security')
    await client.query(statement)
  } finally {
    await client.query('alter table events force row level security')
    client.release()
  }
}
