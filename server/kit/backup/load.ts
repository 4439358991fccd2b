import { once } from 'node:events'

import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

import { CannotStart } from '../core/start-problems.ts'
import { buildSchema, unknownMigrations } from '../database/migrate.ts'
import { jobsSchema } from '../jobs/jobs-database.ts'
import { findJobsVersion } from './snapshot.ts'
import {
  type CountedTable,
  copyIn,
  countRows,
  JOBS_SCHEMA,
  listTables,
  nameOf,
  PLAIN_VALUES,
  quotedName,
  type Sequence,
  setSequence,
  type Table,
} from './tables.ts'

/** A schema that rows are loaded into, as its migrations and jobs describe it. */
export interface SchemaOf {
  readonly migrations: readonly string[]
  readonly jobsVersion: number | null
  readonly tables: readonly CountedTable[]
}

/** A database whose tables are being filled, in one transaction. */
export interface Loading {
  /** Takes the lines of a table in parts. */
  load(table: Table, parts: AsyncIterable<Buffer>): Promise<void>
  /**
   * Brings constraints, indexes and protection back, and compares each table with what it has to hold.
   * @throws CannotStart where a table differs
   */
  finish(sequences: readonly Sequence[], onTable?: (done: number, of: number) => void): Promise<void>
}

/** Statements that recreate what would slow down or hinder the load. */
interface Removed {
  readonly constraints: readonly string[]
  readonly indexes: readonly string[]
  readonly forced: readonly string[]
  readonly triggered: readonly string[]
}

/** @throws CannotStart where this version does not know the schema */
export function demandKnown(folder: string, { migrations }: Pick<SchemaOf, 'migrations'>): void {
  const [unknown] = unknownMigrations(folder, migrations)
  if (unknown !== undefined)
    throw new CannotStart(
      `The backup was made by a newer version of Muster, which has the migration ${unknown}. Restore it with that version.`,
    )
}

/**
 * Builds the empty schema in the caller's transaction, on an empty database, and makes it ready for rows.
 * @throws CannotStart where the tables are not those of the backup
 */
export async function openLoading(client: pg.Client, folder: string, wanted: SchemaOf): Promise<Loading> {
  demandKnown(folder, wanted)
  await client.query(PLAIN_VALUES)
  await client.query(`set local maintenance_work_mem = '256MB'; set local synchronize_seqscans = off`)
  await buildSchema(client, folder, wanted.migrations)
  if (wanted.jobsVersion !== null) await client.query(jobsSchema())
  // pg-boss limits how long its own transaction may wait.
  await client.query('set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0')
  const tables = match(await listTables(client), wanted, await findJobsVersion(client))
  const removed = await remove(client)
  await client.query(`truncate ${[...tables.values()].map(quotedName).join(', ')}`)
  return {
    async load(table, parts) {
      const target = tables.get(nameOf(table))
      const into = target && client.query(copyFrom(copyIn({ ...target, columns: table.columns })))
      if (!into) throw new CannotStart(`The backup has a table ${nameOf(table)} that it does not name.`)
      const done = once(into, 'finish')
      // Awaited below; a failure before that counts as unhandled otherwise.
      done.catch(() => {})
      for await (const part of parts) if (!into.write(part)) await Promise.race([once(into, 'drain'), done])
      into.end()
      await done
    },
    async finish(sequences, onTable = () => {}) {
      await bringBack(client, removed)
      for (const sequence of sequences) await setSequence(client, sequence)
      let compared = 0
      for (const table of wanted.tables) {
        onTable(compared++, wanted.tables.length)
        const { rows, digest } = await countRows(client, table)
        if (rows !== table.rows || digest !== table.digest)
          throw new CannotStart(
            `The table ${nameOf(table)} is not what the backup says: it has ${rows} rows of ${table.rows}, or others. ` +
              'Nothing was restored.',
          )
      }
      // After the comparison, which the owner of a protected table could not make.
      for (const statement of removed.forced) await client.query(statement)
    },
  }
}

/** Target tables by name, whose columns have to be those of the backup. */
function match(
  known: readonly Table[],
  { tables, jobsVersion }: SchemaOf,
  version: number | null,
): Map<string, Table> {
  if (jobsVersion !== null && version !== null && jobsVersion > version)
    throw new CannotStart('The backup was made by a newer version of Muster. Restore it with that version.')
  const byName = new Map(known.map((table) => [nameOf(table), table]))
  for (const table of tables) {
    const target = byName.get(nameOf(table))
    // An older schema of the jobs: its columns have to be among today's.
    const isOlder = table.schema === JOBS_SCHEMA && jobsVersion !== version
    const fits =
      target !== undefined &&
      table.columns.every((column) => target.columns.includes(column)) &&
      (isOlder || table.columns.length === target.columns.length)
    if (!fits)
      throw new CannotStart(
        `The backup's table ${nameOf(table)} does not fit to this version of Muster. Restore it with the version that made it.`,
      )
  }
  return byName
}

/** Removes foreign keys, indexes and protection until all rows are loaded. */
async function remove(client: pg.Client): Promise<Removed> {
  const statements = async (text: string) =>
    (await client.query<{ remove: string; again: string }>(text)).rows
  const constraints = await statements(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as remove,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as again
      from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace in ('public'::regnamespace, to_regnamespace('${JOBS_SCHEMA}'))`)
  const indexes = await statements(`
    select format('drop index %s', indexrelid::regclass) as remove, pg_get_indexdef(indexrelid) as again
      from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not i.indisreplident and not i.indisclustered
       and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'))`)
  const forced = await statements(`
    select format('alter table %s no force row level security', oid::regclass) as remove,
        format('alter table %s force row level security', oid::regclass) as again
      from pg_class where relforcerowsecurity and relnamespace = 'public'::regnamespace`)
  const triggered = await statements(`
    select distinct format('alter table %s disable trigger user', tgrelid::regclass) as remove,
        format('alter table %s enable trigger user', tgrelid::regclass) as again
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`)
  for (const { remove: text } of [...constraints, ...indexes, ...forced, ...triggered])
    await client.query(text)
  const again = (list: readonly { again: string }[]) => list.map((one) => one.again)
  return {
    constraints: again(constraints),
    indexes: again(indexes),
    forced: again(forced),
    triggered: again(triggered),
  }
}

/** Indexes first, because foreign keys may refer to unique ones. */
async function bringBack(client: pg.Client, { indexes, constraints, triggered }: Removed): Promise<void> {
  for (const text of [...indexes, ...constraints, ...triggered]) await client.query(text)
}
