import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'

import { pick } from '#contract/kit/pick.ts'

import { columnOf, fieldsOf, valuesOf } from './columns.ts'
import { lockFor, type OrgDb } from './db.ts'
import { holdsEachWord } from './search.ts'
import { clock } from '../clock.ts'
import { changesBetween, findLastEditor, record } from '../events/events.ts'
import type { Page } from '../http/answers.ts'
import { notFound, stale, wrongField } from '../http/refusal.ts'

const UNIQUE_VIOLATION = '23505'

type Direction = 'ASC' | 'DESC'
type Query<Sort extends string> = {
  readonly sort?: readonly [Sort, Direction] | undefined
  readonly range?: readonly [first: number, last: number] | undefined
  readonly filter?: { readonly q?: string | undefined } | undefined
}

/** Columns that `create` and `update` write on their own. */
type Kept = 'id' | 'createTimestamp' | 'updateTimestamp' | 'version'

interface Declaration<
  Schema extends z.ZodMiniObject,
  Given extends keyof z.output<Schema> & string,
  Sort extends string,
  Also extends string,
  Computed extends keyof z.output<Schema>,
  Generated extends keyof z.output<Schema>,
> {
  /** The noun in the event stream. */
  readonly noun: string
  readonly table: string
  /** How a refusal calls a record. */
  readonly label: string
  /** A record as it is returned. Each field is a column, unless `computed` has it. */
  readonly schema: Schema
  /** Columns that people fill in: stored by `create` and `update`, and audited. */
  readonly given: readonly Given[]
  /** Columns that are stored with them and not audited. */
  readonly also?: readonly Also[]
  /** Fields that come from other tables. They are audited, and written by `complete`. */
  readonly computed?: { readonly [F in Computed]: RawBuilder<unknown> }
  /** Columns that neither `create` nor `update` writes. */
  readonly generated?: readonly Generated[]
  /** The field by which people know a record, written to the audit log when it is deleted. */
  readonly name: Given
  /** The refusal (409) at that field where the table's unique index has the name already. */
  readonly nameTaken?: string
  readonly orders: { readonly [F in Sort]: RawBuilder<unknown> }
  readonly sort: readonly [NoInfer<Sort>, Direction]
  /** Whether a row is found by a search; by the words of its `search_key` unless said. */
  readonly matches?: (search: string | undefined) => RawBuilder<boolean>
}

/** Asks for the fields of the record that the declaration does not name anywhere. */
type NamingAll<Unnamed extends string> = [Unnamed] extends [never]
  ? unknown
  : { readonly fieldsWithoutSource: readonly Unnamed[] }

/** Writes what belongs to a record in other tables. */
type Complete = (id: string) => Promise<void>

/**
 * Store and flows of a noun whose records are rows of one table with `id` and `create_timestamp`, and, where they can be
 * changed, `update_timestamp` and `version`. Creating, updating and deleting record events of these names. A field of the
 * record that is not declared to come from anywhere does not compile.
 */
export function plainNoun<
  Schema extends z.ZodMiniObject,
  Given extends keyof z.output<Schema> & string,
  Sort extends string,
  Also extends string = never,
  Computed extends keyof z.output<Schema> & string = never,
  Generated extends keyof z.output<Schema> & string = never,
>(
  declaration: Declaration<Schema, Given, Sort, Also, Computed, Generated> &
    NamingAll<Exclude<keyof z.output<Schema> & string, Given | Also | Computed | Generated | Kept>>,
) {
  type Row = z.output<Schema> & { readonly id: string; readonly version?: number }
  type Values = Pick<z.output<Schema>, Given>
  const { noun, label, schema, given, also = [], name, nameTaken, orders } = declaration
  const computed: { readonly [field: string]: RawBuilder<unknown> } = declaration.computed ?? {}
  const table = sql.table(declaration.table)
  const audited = [...given, ...Object.keys(computed)] as readonly (keyof Row & string)[]
  const stored: readonly string[] = [...given, ...also]
  const selection = sql.join(
    fieldsOf(schema).map((field) => {
      return sql`${computed[field] ?? sql.id(declaration.table, columnOf(field))} as ${sql.id(field)}`
    }),
  )
  const isVersioned = 'version' in schema.shape
  const matches = declaration.matches ?? holdsEachWord
  const lockNames = async (db: OrgDb) => {
    // One at a time, so that of two that exchange their names none waits for the other for ever.
    if (nameTaken !== undefined) await lockFor(db, `${noun} names`)
  }

  async function find(db: OrgDb, id: string): Promise<Row | undefined> {
    const { rows } = await sql<Row>`select ${selection} from ${table} where id = ${id}`.execute(db)
    return rows[0]
  }

  /** One record. Throws 404 where there is none. */
  async function open(db: OrgDb, id: string): Promise<Row> {
    const row = await find(db, id)
    if (!row) throw notFound(label)
    return row
  }

  /**
   * One record, locked until the transaction ends.
   * @param version the version that a change is based on, if the caller says so
   * @throws Refusal 404, or 409 `stale` where somebody else changed it since
   */
  async function hold(db: OrgDb, id: string, version?: number): Promise<Row> {
    await sql`select from ${table} where id = ${id} for update`.execute(db)
    const row = await open(db, id)
    if (version !== undefined && version !== row.version) throw stale(await findLastEditor(db, noun, id))
    return row
  }

  /** A page of records, or all of them where no range is asked for. */
  async function list(db: OrgDb, { sort, range, filter }: Query<Sort>): Promise<Page<Row>> {
    const [field, direction] = sort ?? declaration.sort
    const found = sql`from ${table} where ${matches(filter?.q)}`
    const page = range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``
    const { rows } = await sql<Row>`select ${selection} ${found}
      order by ${orders[field]} ${sql.raw(direction)}, id ${page}`.execute(db)
    if (!range) return { rows, total: rows.length }
    const counted = await sql<{ total: number }>`select count(*) as total ${found}`.execute(db)
    return { rows, total: counted.rows[0]!.total }
  }

  /**
   * Adds a record.
   * @throws Refusal 409 where the name is in use, also by a record that is added at this moment
   */
  async function create(
    db: OrgDb,
    values: Values & Record<Also, unknown>,
    complete?: Complete,
  ): Promise<Row> {
    await lockNames(db)
    const at = clock.timestamp()
    const id = crypto.randomUUID()
    const columns = Object.entries({
      id,
      ...valuesOf<Record<string, unknown>>(values, stored),
      create_timestamp: at,
      ...(isVersioned && { update_timestamp: at, version: 1 }),
    })
    const { rows } = await sql`insert into ${table} (${sql.join(columns.map(([column]) => sql.id(column)))})
      values (${sql.join(columns.map(([, value]) => value))}) on conflict do nothing returning id`.execute(db)
    if (rows.length === 0) throw wrongField(name, nameTaken ?? `${label} exists already.`, 409)
    await complete?.(id)
    const row = await open(db, id)
    record(db, { noun, record: id, verb: 'created', changes: changesBetween<Partial<Row>>({}, row, audited) })
    return row
  }

  /**
   * Changes a record that is held, and counts its version up. Where nothing differs, nothing is written.
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
    const after: Row = { ...(await open(db, id)), ...pick(values, given) }
    const changes = changesBetween<Row>(before, after, audited)
    if (Object.keys(changes).length === 0) return before
    const columns = Object.entries(valuesOf<Record<string, unknown>>(values, stored))
      .filter(([, value]) => value !== undefined)
      .map(([column, value]) => sql`${sql.id(column)} = ${value}`)
    await sql`update ${table} set ${sql.join(columns)}, update_timestamp = ${clock.timestamp()},
      version = version + 1 where id = ${id}`
      .execute(db)
      .catch((error: { code?: string }) => {
        if (error.code === UNIQUE_VIOLATION && nameTaken !== undefined) throw wrongField(name, nameTaken, 409)
        throw error
      })
    record(db, { noun, record: id, verb: 'updated', changes })
    return open(db, id)
  }

  /** Deletes a record. Throws 404 where there is none. */
  async function remove(db: OrgDb, id: string): Promise<void> {
    const row = await hold(db, id)
    await sql`delete from ${table} where id = ${id}`.execute(db)
    record(db, { noun, record: id, verb: 'deleted', changes: { [name]: { from: row[name], to: null } } })
  }

  return { list, find, open, hold, create, update, remove }
}
