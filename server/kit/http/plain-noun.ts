import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'

import { pick } from '#contract/kit/pick.ts'

import { columnOf, fieldsOf, valuesOf } from '../database/columns.ts'
import { lockFor, type OrgDb } from '../database/db.ts'
import { keepDeleted, type DeletedRows, type KeptRows, undoDeletion } from '../database/deletions.ts'
import { holdsEachWord } from '../database/search.ts'
import { clock } from '../core/clock.ts'
import type { Changes } from '../core/event.ts'
import { changesBetween, findLastEditor, record } from '../events/events.ts'
import type { Page } from './answers.ts'
import { notFound, stale, wrongField } from '../core/refusal.ts'

const UNIQUE_VIOLATION = '23505'

type Direction = 'ASC' | 'DESC'
type Query<Sort extends string> = {
  readonly sort?: readonly [Sort, Direction] | undefined
  readonly range?: readonly [first: number, last: number] | undefined
  readonly filter?: { readonly q?: string | undefined } | undefined
}

/** Columns that `create` and `update` set themselves. */
type Kept = 'id' | 'createTimestamp' | 'updateTimestamp' | 'version'

interface Declaration<
  Schema extends z.ZodMiniObject,
  Field extends keyof z.output<Schema> & string,
  Sort extends string,
  Also extends string,
  Computed extends keyof z.output<Schema>,
  Generated extends keyof z.output<Schema>,
  Short extends Computed,
> {
  /** Name of the noun in the event stream. */
  readonly noun: string
  readonly table: string
  /** Name of a record in refusals. */
  readonly label: string
  /** A record as returned. Each field is a column, unless `computed` defines it. */
  readonly schema: Schema
  /** Columns that people edit: stored by `create` and `update`, and audited. */
  readonly fields: readonly Field[]
  /** Columns stored with them but not audited. */
  readonly also?: readonly Also[]
  /** Fields computed from other tables. They are audited, and written by `complete`. */
  readonly computed?: { readonly [F in Computed]: RawBuilder<unknown> }
  /** Computed fields that may be long: pages of the list and summaries omit them. */
  readonly wholeOnly?: readonly Short[]
  /** Computed fields that are derived from others and not audited. */
  readonly derived?: readonly NoInfer<Computed>[]
  /** Columns that neither `create` nor `update` writes. */
  readonly generated?: readonly Generated[]
  /** The name field of a record, written to the audit log on deletion. */
  readonly name: Field
  /** The refusal (409) at that field where the table's unique index contains the name already. */
  readonly nameTaken?: string
  readonly orders: { readonly [F in Sort]: RawBuilder<unknown> }
  readonly sort: readonly [NoInfer<Sort>, Direction]
  /** Condition of a search; by default the words of `search_key`. */
  readonly matches?: (search: string | undefined) => RawBuilder<boolean>
}

/** Compile-time check that the declaration names all fields of the record. */
type NamingAll<Unnamed extends string> = [Unnamed] extends [never]
  ? unknown
  : { readonly fieldsWithoutSource: readonly Unnamed[] }

/** Writes the parts of a record that are in other tables. */
type Complete = (id: string) => Promise<void>

interface PageQuery {
  readonly selection: RawBuilder<unknown>
  /** SQL from the table on, with its conditions. */
  readonly found: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
  readonly range: readonly [first: number, last: number] | undefined
}
async function pageOf<Row>(db: OrgDb, { selection, found, order, range }: PageQuery): Promise<Page<Row>> {
  const cut = range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``
  const { rows } = await sql<Row>`select ${selection} ${found} order by ${order} ${cut}`.execute(db)
  if (!range) return { rows, total: rows.length }
  const counted = await sql<{ total: number }>`select count(*) as total ${found}`.execute(db)
  return { rows, total: counted.rows[0]!.total }
}

/** Selected fields of a record: columns of the table and computed ones. */
const selectionOf = (
  table: string,
  fields: readonly string[],
  computed: { readonly [field: string]: RawBuilder<unknown> | undefined },
): RawBuilder<unknown> =>
  sql.join(
    fields.map((field) => sql`${computed[field] ?? sql.id(table, columnOf(field))} as ${sql.id(field)}`),
  )

type Columns = Readonly<Record<string, unknown>>
/** Returns false where a unique index contains the row already, also from a concurrent commit. */
async function insertRow(db: OrgDb, table: RawBuilder<unknown>, columns: Columns): Promise<boolean> {
  const names = sql.join(Object.keys(columns).map((column) => sql.id(column)))
  const { rows } = await sql`insert into ${table} (${names}) values (${sql.join(Object.values(columns))})
    on conflict do nothing returning id`.execute(db)
  return rows.length > 0
}

const without = (fields: readonly string[], left: readonly string[]): string[] =>
  fields.filter((field) => !left.includes(field))

interface Source<Sort extends string> {
  readonly table: RawBuilder<unknown>
  readonly label: string
  /** Selections of a whole record, and of one without `wholeOnly` fields. */
  readonly whole: RawBuilder<unknown>
  readonly short: RawBuilder<unknown>
  readonly orders: { readonly [F in Sort]: RawBuilder<unknown> }
  readonly sort: readonly [Sort, Direction]
  readonly matches?: (search: string | undefined) => RawBuilder<boolean>
}
function readerOf<Row, Summary, Sort extends string>(source: Source<Sort>) {
  const { table, label, whole, short, orders, matches = holdsEachWord } = source
  async function find<Found>(db: OrgDb, id: string, selection: RawBuilder<unknown>): Promise<Found> {
    const { rows } = await sql<Found>`select ${selection} from ${table} where id = ${id}`.execute(db)
    if (!rows[0]) throw notFound(label)
    return rows[0]
  }

  /**
   * One record.
   * @throws Refusal 404
   */
  const open = (db: OrgDb, id: string) => find<Row>(db, id, whole)

  /**
   * One record without `wholeOnly` fields.
   * @throws Refusal 404
   */
  const summary = (db: OrgDb, id: string) => find<Summary>(db, id, short)

  /** A page of records, or without a range all of them, whole. */
  async function list(
    db: OrgDb,
    { sort, range, filter }: Query<Sort>,
  ): Promise<Page<Summary & Partial<Row>>> {
    const [field, direction] = sort ?? source.sort
    const found = sql`from ${table} where ${matches(filter?.q)}`
    const order = sql`${orders[field]} ${sql.raw(direction)}, id`
    return pageOf(db, { selection: range ? short : whole, found, order, range })
  }

  return { open, summary, list }
}

/** Options of a statement that a unique index may refuse. */
const onDouble =
  (refusal: () => Error) =>
  (error: { code?: string }): never => {
    throw error.code === UNIQUE_VIOLATION ? refusal() : error
  }

/** Stores the given columns and increments the version. */
async function updateRow(db: OrgDb, table: RawBuilder<unknown>, id: string, columns: Columns): Promise<void> {
  const sets = Object.entries(columns)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`${sql.id(column)} = ${value}`)
  await sql`update ${table} set ${sql.join(sets)}, update_timestamp = ${clock.timestamp()}, version = version + 1
    where id = ${id}`.execute(db)
}

interface Undoable {
  readonly noun: string
  readonly table: KeptRows['table']
  readonly name: string
  readonly taken: () => Error
  readonly lockNames: (db: OrgDb) => Promise<unknown>
}
interface Calls<Row, Summary> {
  readonly hold: (db: OrgDb, id: string) => Promise<Row>
  readonly remove: (db: OrgDb, id: string) => Promise<void>
  readonly open: (db: OrgDb, id: string) => Promise<Row>
  readonly summary: (db: OrgDb, id: string) => Promise<Summary>
}
/** Deletion of a noun's records that can be undone for some minutes (decision 112). */
const undoOf =
  ({ noun, table, name, taken, lockNames }: Undoable) =>
  <Row extends object, Summary>({ hold, remove, open, summary }: Calls<Row, Summary>) => ({
    /**
     * Deletes a record, which `restore` can bring back.
     * @param parts rows of other tables that the deletion takes away or changes
     * @throws Refusal 404
     */
    async removeUndoably(
      db: OrgDb,
      id: string,
      by: { readonly id: string },
      parts: readonly KeptRows[],
    ): Promise<void> {
      await hold(db, id)
      await keepDeleted(db, { noun, record: id, by }, [{ table, where: sql`t.id = ${id}` }, ...parts])
      await remove(db, id)
    },

    /**
     * Undoes a deletion of `removeUndoably`.
     * @param complete restores the other rows
     * @throws Refusal 403, 404, 409 as `undoDeletion` does, and 409 where the name was taken meanwhile
     */
    async restore(
      db: OrgDb,
      id: string,
      by: { readonly id: string },
      complete: (kept: DeletedRows) => Promise<void>,
    ): Promise<Summary> {
      await lockNames(db)
      await undoDeletion(db, { noun, record: id, by }, async (kept) => {
        if ((await kept.restore(table)) === 0) throw taken()
        await complete(kept)
        const row = await open(db, id)
        const changes = { [name]: { from: null, to: row[name as keyof Row] } } as Changes
        record(db, { noun, record: id, verb: 'restored', changes })
      })
      return summary(db, id)
    },
  })

/**
 * Store and flows of a noun whose records are rows of one table with `id` and `create_timestamp`, and for changes
 * `update_timestamp` and `version`. Creating, updating and deleting record events of these names. A field of the record
 * without a declared source does not compile.
 */
export function plainNoun<
  Schema extends z.ZodMiniObject,
  Field extends keyof z.output<Schema> & string,
  Sort extends string,
  Also extends string = never,
  Computed extends keyof z.output<Schema> & string = never,
  Generated extends keyof z.output<Schema> & string = never,
  Short extends Computed = never,
>(
  declaration: Declaration<Schema, Field, Sort, Also, Computed, Generated, Short> &
    NamingAll<Exclude<keyof z.output<Schema> & string, Field | Also | Computed | Generated | Kept>>,
) {
  type Row = z.output<Schema> & { readonly id: string; readonly version?: number }
  type Values = Pick<z.output<Schema>, Field>
  const { noun, label, schema, fields, also = [], computed = {}, name, nameTaken } = declaration
  const { wholeOnly = [], derived = [] } = declaration
  const table = sql.table(declaration.table)
  const audited = [...fields, ...without(Object.keys(computed), derived)] as readonly (keyof Row & string)[]
  const stored: readonly string[] = [...fields, ...also]
  const { open, summary, list } = readerOf<Row, Omit<Row, Short>, Sort>({
    ...declaration,
    table,
    whole: selectionOf(declaration.table, fieldsOf(schema), computed),
    short: selectionOf(declaration.table, without(fieldsOf(schema), wholeOnly), computed),
  })
  const taken = () => wrongField(name, nameTaken ?? `${label} exists already.`, 409)
  // Serialised, so that two changes that swap names do not deadlock.
  const lockNames = async (db: OrgDb) => nameTaken !== undefined && lockFor(db, `${noun} names`)

  /**
   * One record, locked until the transaction ends.
   * @param version the version that a change is based on, if given
   * @throws Refusal 404, or 409 `stale` where it was changed since
   */
  async function hold(db: OrgDb, id: string, version?: number): Promise<Row> {
    await sql`select from ${table} where id = ${id} for update`.execute(db)
    const row = await open(db, id)
    if (version !== undefined && version !== row.version) throw stale(await findLastEditor(db, noun, id))
    return row
  }

  /**
   * Adds a record.
   * @throws Refusal 409 where the name is in use, also by a concurrent call
   */
  async function create(
    db: OrgDb,
    values: Values & Record<Also, unknown>,
    complete?: Complete,
  ): Promise<Row> {
    await lockNames(db)
    const at = clock.timestamp()
    const id = crypto.randomUUID()
    const isInserted = await insertRow(db, table, {
      id,
      ...valuesOf<Record<string, unknown>>(values, stored),
      create_timestamp: at,
      ...('version' in schema.shape && { update_timestamp: at, version: 1 }),
    })
    if (!isInserted) throw taken()
    await complete?.(id)
    const row = await open(db, id)
    record(db, { noun, record: id, verb: 'created', changes: changesBetween<Partial<Row>>({}, row, audited) })
    return row
  }

  /**
   * Changes a locked record and increments its version. Writes nothing where nothing differs.
   * @throws Refusal 409 where the name is in use
   */
  async function update(
    db: OrgDb,
    before: Row,
    values: Values & Partial<Record<Also, unknown>>,
    complete?: Complete,
  ): Promise<Row> {
    const { id } = before
    await lockNames(db)
    await complete?.(id)
    const after: Row = { ...(await open(db, id)), ...pick(values, fields) }
    const changes = changesBetween<Row>(before, after, audited)
    if (Object.keys(changes).length === 0) return before
    await updateRow(db, table, id, valuesOf<Record<string, unknown>>(values, stored)).catch(onDouble(taken))
    record(db, { noun, record: id, verb: 'updated', changes })
    return open(db, id)
  }

  /**
   * Deletes a record.
   * @throws Refusal 404
   */
  async function remove(db: OrgDb, id: string): Promise<void> {
    const row = await hold(db, id)
    await sql`delete from ${table} where id = ${id}`.execute(db)
    record(db, { noun, record: id, verb: 'deleted', changes: { [name]: { from: row[name], to: null } } })
  }

  const undo = undoOf({ noun, table: declaration.table as KeptRows['table'], name, taken, lockNames })
  return { list, open, summary, hold, create, update, remove, ...undo({ hold, remove, open, summary }) }
}
