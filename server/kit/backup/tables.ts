import pg from 'pg'

/** A table whose rows belong to an installation. */
export interface Table {
  readonly schema: string
  readonly name: string
  /** Columns without generated ones, which the target computes itself. */
  readonly columns: readonly string[]
}
/** A table with what it has, to be compared after it was loaded. */
export interface CountedTable extends Table {
  readonly rows: number
  /** Sum of the rows' hashes, whatever their order. */
  readonly digest: string
}
export interface Sequence {
  readonly schema: string
  readonly name: string
  /** Null before its first value. */
  readonly last: string | null
}

/** Schemas with rows: the product's, and that of its jobs. */
export const JOBS_SCHEMA = 'pgboss'
const SCHEMAS = ['public', JOBS_SCHEMA]
/** Tables that describe the schema itself: a target has its own. */
const OWN_OF_THE_TARGET = ['public.schema_files', `${JOBS_SCHEMA}.version`]

const { escapeIdentifier, escapeLiteral } = pg

export const nameOf = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string => `${schema}.${name}`
/** The table's name for a statement. */
export const quotedName = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`
const columnsOf = ({ columns }: Pick<Table, 'columns'>): string => columns.map(escapeIdentifier).join(', ')

/** Every server and client writes values alike under these settings. */
export const PLAIN_VALUES = `
  set client_encoding = 'UTF8'; set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set intervalstyle = 'postgres';
  set extra_float_digits = 1; set bytea_output = 'hex'; set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0; set jit = off`

/** The tables of an installation, from the catalogue. Partitions belong to their table. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name,
        (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      order by 1, 2`,
    [SCHEMAS],
  )
  return rows.filter((table) => !OWN_OF_THE_TARGET.includes(nameOf(table)))
}

/** Values of all sequences. They are in no transaction: read them after the rows that they numbered. */
export async function listSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select schemaname as schema, sequencename as name, last_value::text as last from pg_sequences
      where schemaname = any($1) order by 1, 2`,
    [SCHEMAS],
  )
  return rows
}

export async function setSequence(client: pg.ClientBase, sequence: Sequence): Promise<void> {
  const name = escapeLiteral(quotedName(sequence))
  await client.query(
    `select setval(${name}, ${sequence.last === null ? '1, false' : `${BigInt(sequence.last)}, true`})`,
  )
}

/** The statement that streams a table's rows, one line each. */
export const copyOut = (table: Table): string =>
  `copy (select ${columnsOf(table)} from ${quotedName(table)}) to stdout`
/** The statement that takes such lines. */
export const copyIn = (table: Table): string => `copy ${quotedName(table)} (${columnsOf(table)}) from stdin`

/** The number of a table's rows, and a digest that differs where any value of them does. */
export async function countRows(
  client: pg.ClientBase,
  table: Table,
): Promise<Pick<CountedTable, 'rows' | 'digest'>> {
  const { rows } = await client.query<{ rows: number; digest: string }>(
    `select count(*)::float8 as rows,
        coalesce(sum(('x' || substr(encode(sha256(convert_to(r::text, 'UTF8')), 'hex'), 1, 15))::bit(60)::bigint::numeric), 0)::text
          as digest
       from (select ${columnsOf(table)} from ${quotedName(table)}) r`,
  )
  return rows[0]!
}
