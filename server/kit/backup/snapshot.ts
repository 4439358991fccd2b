import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

import { CannotStart } from '../core/start-problems.ts'
import { PROVIDER_ID } from '../database/db.ts'
import {
  type CountedTable,
  copyOut,
  countRows,
  JOBS_SCHEMA,
  listSequences,
  listTables,
  nameOf,
  quotedName,
  type Sequence,
  type Table,
} from './tables.ts'

/** A database as it was at one moment. */
export interface Snapshot {
  /** ISO time of the moment. */
  readonly moment: string
  /** Version of the jobs' schema; null where the product has never started. */
  readonly jobsVersion: number | null
  readonly tables: readonly CountedTable[]
  /** Streams the lines of a table (PostgreSQL's text format). */
  read(table: Table): AsyncIterable<Buffer>
  /** Rows of a query, past row-level security. */
  query<Row extends pg.QueryResultRow>(table: Pick<Table, 'schema' | 'name'>, text: string): Promise<Row[]>
  sequences(): Promise<Sequence[]>
  /** Lets the database go on: rows that were deleted meanwhile need not be kept any longer. */
  end(): Promise<void>
}

/**
 * Forced tables whose rows the provider does not all see. The tables' owner sees none of a forced table.
 */
const HIDDEN = `
  select c.relname as name from pg_class c
   where c.relforcerowsecurity and c.relrowsecurity and c.relnamespace = 'public'::regnamespace
     and (not exists (select from pg_policy p where p.polrelid = c.oid and p.polpermissive and p.polcmd in ('*', 'r')
                        and 'muster_provider'::regrole = any(p.polroles) and pg_get_expr(p.polqual, p.polrelid) = 'true')
       or exists (select from pg_policy p where p.polrelid = c.oid and not p.polpermissive and p.polcmd in ('*', 'r')
                    and p.polroles && array[0::oid, 'muster_provider'::regrole])
       or not has_table_privilege('muster_provider', c.oid, 'select'))`

async function listForced(client: pg.ClientBase): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relforcerowsecurity and relrowsecurity and relnamespace = 'public'::regnamespace`,
  )
  return new Set(rows.map(({ name }) => `public.${name}`))
}

/**
 * Opens a snapshot on a connection of the tables' owner, in a transaction that only reads.
 * @param onTable called before each table is counted
 */
export async function openSnapshot(
  client: pg.ClientBase,
  onTable: (done: number, of: number) => void = () => {},
): Promise<Snapshot> {
  await client.query('begin isolation level repeatable read, read only')
  // The first statement that reads fixes the moment; everything that was committed before it arrived is seen.
  const { rows: now } = await client.query<{ moment: string }>('select statement_timestamp() as moment')
  const [{ moment }] = now as [{ moment: string }]
  const listed = await listTables(client)
  // No table is altered or dropped from now on.
  await client.query(`lock table ${listed.map(quotedName).join(', ')} in access share mode`)
  const { rows: hidden } = await client.query<{ name: string }>(HIDDEN)
  if (hidden.length > 0)
    throw new CannotStart(
      `Rows of the table ${hidden.map(({ name }) => name).join(', ')} are hidden from a backup: its policies were changed.`,
    )
  const forced = await listForced(client)
  /** Reads forced tables as the provider, and others as their owner. */
  const stepFor = async (table: Pick<Table, 'schema' | 'name'>) => {
    await client.query(
      forced.has(nameOf(table))
        ? `set local role muster_provider; set local app.organisation = '${PROVIDER_ID}'`
        : 'set local role none',
    )
  }
  const tables: CountedTable[] = []
  for (const table of listed) {
    onTable(tables.length, listed.length)
    await stepFor(table)
    tables.push({ ...table, ...(await countRows(client, table)) })
  }
  await client.query('set local role none')
  return {
    moment,
    jobsVersion: await findJobsVersion(client),
    tables,
    async *read(table) {
      await stepFor(table)
      yield* client.query(copyTo(copyOut(table))) as AsyncIterable<Buffer>
    },
    query: async <Row extends pg.QueryResultRow>(table: Pick<Table, 'schema' | 'name'>, text: string) => {
      await stepFor(table)
      return (await client.query<Row>(text)).rows
    },
    sequences: async () => {
      await client.query('set local role none')
      return listSequences(client)
    },
    end: async () => void (await client.query('commit')),
  }
}

/** Version of the schema of the jobs; null without one. */
export async function findJobsVersion(client: pg.ClientBase): Promise<number | null> {
  const { rows: found } = await client.query<{ found: boolean }>(
    `select to_regclass('${JOBS_SCHEMA}.version') is not null as found`,
  )
  if (!found[0]!.found) return null
  const { rows } = await client.query<{ version: number }>(`select version from ${JOBS_SCHEMA}.version`)
  return rows[0]?.version ?? null
}
