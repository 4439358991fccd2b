import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { type ConstructorOptions, getConstructionPlans, type PgBoss } from 'pg-boss'

import type { NamedQuery, TransactionDb } from '../database/db.ts'

type BossDatabase = NonNullable<ConstructorOptions['db']>

/**
 * A transaction for a pg-boss call of one statement.
 * @param name under which the statement is prepared
 */
export const inTransaction = (db: TransactionDb, name: string): BossDatabase => ({
  executeSql: (text, values) => {
    const query: NamedQuery = { ...CompiledQuery.raw(text, values), name }
    return db.executeQuery<unknown>(query)
  },
})

/** Statements that create the empty schema of the jobs, for a transaction of the caller. */
export function jobsSchema(): string {
  const plan = getConstructionPlans('pgboss').trim()
  const statements = plan.replace(/^BEGIN;/i, '').replace(/COMMIT;$/i, '')
  if (plan.length - statements.length !== 'BEGIN;COMMIT;'.length)
    throw new Error('pg-boss creates its schema in another way than expected.')
  return statements
}

/**
 * Lets transactions enqueue jobs. An organisation's transaction cannot read the queues; the provider's counts jobs, and
 * deletes those of a deleted organisation. Granted at every start, because pg-boss owns the tables and migrates them.
 */
export async function letMembersSend(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ can: boolean }>(
    `select bool_and(has_schema_privilege(role, 'pgboss', 'usage')
        and has_table_privilege(role, 'pgboss.queue', 'select')
        and has_table_privilege(role, 'pgboss.job_common', 'insert')
        and has_column_privilege(role, 'pgboss.job_common', 'start_after', 'select')
        and (role = 'muster_member' or has_table_privilege(role, 'pgboss.job', 'delete'))) as can
       from unnest(array['muster_member', 'muster_provider']) as role`,
  )
  if (rows[0]?.can) return
  // Serialised, because concurrent grants fail.
  await pool.query(
    `begin;
     select pg_advisory_xact_lock(hashtext('muster grants'));
     grant usage on schema pgboss to muster_member, muster_provider;
     grant select on pgboss.queue to muster_member, muster_provider;
     grant insert, select (id, start_after) on pgboss.job_common to muster_member, muster_provider;
     grant select, delete on pgboss.job to muster_provider;
     commit`,
  )
}

/**
 * Frees the jobs of a process that has died. Only where there is no other process; otherwise missing heartbeats reveal
 * them.
 */
export async function freeAbandonedJobs(boss: PgBoss, pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; ids: string[] }>(
    `select name, array_agg(id) as ids from pgboss.job where state = 'active' group by name`,
  )
  for (const { name, ids } of rows) await boss.fail(name, ids, { message: 'The process ended.' })
}
