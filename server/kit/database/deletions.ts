import { type RawBuilder, sql } from 'kysely'

import { DELETED_BY_ANOTHER, UNDO_OVER } from '#contract/kit/undo.ts'

import type { OrgDb, Tables } from './db.ts'
import { clock, MINUTE } from '../core/clock.ts'
import { demand, Refusal } from '../core/refusal.ts'

declare module './db.ts' {
  interface Tables {
    deletions: {
      id: string
      noun: string
      record: string
      deleted_by: string
      blob_ids: string[]
      delete_timestamp: string
      undo_timestamp: string | null
    }
    deleted_rows: { deletion_id: string; table_name: string; content: unknown }
  }
}

/** Time in which a deletion can be undone. */
export const UNDO_SPAN = 10 * MINUTE

type Table = keyof Tables
/** The deletion of a record by a person or an API key. */
export interface Deleting {
  readonly noun: string
  /** The id of the record, or the key of its name where calls name it so. */
  readonly record: string
  readonly by: { readonly id: string }
}
/** Rows of a table `t` that a deletion takes away or changes. */
export interface KeptRows {
  readonly table: Table
  readonly where: RawBuilder<unknown>
  /** True keeps only the ids, of rows that stay. */
  readonly idsOnly?: boolean
}

/**
 * Copies rows before they are deleted, so that the deletion can be undone.
 * @param parts tables in the order in which their rows can be inserted again
 * @param blobIds bytes that `deletedBytes` has to leave until nothing can be undone any more
 */
export async function keepDeleted(
  db: OrgDb,
  { noun, record, by }: Deleting,
  parts: readonly KeptRows[],
  blobIds: readonly string[] = [],
): Promise<void> {
  await sql`delete from deletions where noun = ${noun} and record = ${record} and deleted_by = ${by.id}`.execute(
    db,
  )
  const { rows } = await sql<{ id: string }>`
    insert into deletions (noun, record, deleted_by, blob_ids, delete_timestamp)
      values (${noun}, ${record}, ${by.id}, ${blobIds}::uuid[], ${clock.timestamp()}) returning id`.execute(
    db,
  )
  const { id } = rows[0]!
  const rowsOf = ({ table, where, idsOnly = false }: KeptRows) => {
    const content = idsOnly ? sql`jsonb_build_object('id', t.id)` : sql`to_jsonb(t)`
    return sql`select ${id}::uuid, ${table}::text, ${content} from ${sql.table(table)} t where ${where}`
  }
  await sql`insert into deleted_rows (deletion_id, table_name, content)
    ${sql.join(parts.map(rowsOf), sql` union all `)}`.execute(db)
}

/** A deletion that is being undone. */
export interface DeletedRows {
  readonly id: string
  /** The rows of a table. */
  rows<Row extends object>(this: void, table: Table): Promise<Row[]>
  /** Inserts the rows of a table again, except where they exist or refer to deleted ones. Returns their number. */
  restore(this: void, table: Table): Promise<number>
}

/**
 * Undoes a deletion of the caller's own by `restore`, which inserts the rows again. Does nothing where it is undone
 * already.
 * @throws Refusal 403 where only somebody else deleted the record, 404 for an unknown deletion, 409 for an old one
 */
export async function undoDeletion(
  db: OrgDb,
  { noun, record, by }: Deleting,
  restore: (kept: DeletedRows) => Promise<void>,
): Promise<void> {
  const found = await db
    .selectFrom('deletions')
    .select(['id', 'deleted_by', 'delete_timestamp', 'undo_timestamp'])
    .where('noun', '=', noun)
    .where('record', '=', record)
    .forUpdate()
    .execute()
  const own = found.find(({ deleted_by }) => deleted_by === by.id)
  demand(own !== undefined || found.length === 0, 403, DELETED_BY_ANOTHER)
  if (!own) throw new Refusal(404, UNDO_OVER)
  if (own.undo_timestamp !== null) return
  demand(Date.parse(own.delete_timestamp) > clock.now() - UNDO_SPAN, 409, UNDO_OVER)
  await restore(keptOf(db, own.id))
  await sql`delete from deleted_rows where deletion_id = ${own.id}`.execute(db)
  await sql`update deletions set undo_timestamp = ${clock.timestamp()}, blob_ids = '{}' where id = ${own.id}`.execute(
    db,
  )
}

const keptOf = (db: OrgDb, id: string): DeletedRows => ({
  id,
  rows: async <Row extends object>(table: Table) => {
    const { rows } = await sql<{ content: Row }>`
      select content from deleted_rows where deletion_id = ${id} and table_name = ${table}`.execute(db)
    return rows.map(({ content }) => content)
  },
  restore: async (table) => {
    const { columns, references } = await shapeOf(db, table)
    const { numAffectedRows = 0n } = await sql`
      insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.id(column)))})
        overriding system value
        select ${sql.join(columns.map((column) => sql.id('r', column)))}
          from deleted_rows d, lateral jsonb_populate_record(null::${sql.table(table)}, d.content) r
         where ${sql.join([sql`d.deletion_id = ${id} and d.table_name = ${table}`, ...references.map(isMet)], sql` and `)}
      on conflict do nothing`.execute(db)
    return Number(numAffectedRows)
  },
})

interface Reference {
  readonly parent: string
  readonly columns: readonly string[]
  readonly parentColumns: readonly string[]
}
/** True when the row `r` refers to nothing, or to a row that exists. */
const isMet = ({ parent, columns, parentColumns }: Reference) => sql`(
  ${sql.join(
    columns.map((column) => sql`${sql.id('r', column)} is null`),
    sql` or `,
  )}
  or exists (select from ${sql.table(parent)} p where ${sql.join(
    columns.map((column, n) => sql`${sql.id('p', parentColumns[n]!)} = ${sql.id('r', column)}`),
    sql` and `,
  )}))`

interface Shape {
  /** Columns that are not generated. */
  readonly columns: readonly string[]
  readonly references: readonly Reference[]
}
const shapes = new Map<string, Shape>()

/** The columns and references of a table, which change with a migration only. */
async function shapeOf(db: OrgDb, table: Table): Promise<Shape> {
  const known = shapes.get(table)
  if (known) return known
  const columns = await sql<{ name: string }>`
    select attname as name from pg_attribute
     where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`.execute(db)
  const names = (of: string, key: string) => sql`
    array(select attname::text from unnest(c.${sql.raw(key)}) with ordinality k (number, position)
      join pg_attribute a on a.attrelid = c.${sql.raw(of)} and a.attnum = k.number order by k.position)`
  // The organisation is the transaction's own.
  const references = await sql<Reference>`
    select c.confrelid::regclass::text as parent, ${names('conrelid', 'conkey')} as columns,
        ${names('confrelid', 'confkey')} as "parentColumns"
      from pg_constraint c
     where c.contype = 'f' and c.conrelid = ${table}::regclass and c.confrelid <> 'organisations'::regclass`.execute(
    db,
  )
  const shape = { columns: columns.rows.map(({ name }) => name), references: references.rows }
  shapes.set(table, shape)
  return shape
}
