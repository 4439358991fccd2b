import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
} from 'kysely'
import pg from 'pg'

import type { HookHandlers } from './hooks.ts'
import { type Lookup, type LookupText, preparedLookups } from './lookup.ts'

import type { Changes, Event } from '../core/event.ts'

/**
 * The tables. Each noun's store declares its own: `declare module '#server/kit/database/db.ts' { interface Tables { ... } }`.
 * Timestamps are ISO strings, bigints are numbers.
 */
// oxlint-disable-next-line typescript/no-empty-interface -- filled by the stores
export interface Tables {}

declare const proven: unique symbol
/** A transaction restricted to one organisation by row-level security. Only `Database.withOrganisation` creates one. */
export type OrgDb = Kysely<Tables> & { readonly [proven]: 'organisation' }
/** A transaction of the provider, which sees every organisation. Its own events and rows belong to the provider. */
export type ProviderDb = Kysely<Tables> & { readonly [proven]: 'provider' }
/** A transaction of either kind, whose events, messages and jobs belong to the opened organisation. */
export type TransactionDb = OrgDb | ProviderDb

/**
 * The row of `organisations` for the provider: it owns the provider's events, messages and jobs, and has no people.
 * Policies hide it from every list.
 */
export const PROVIDER_ID = '00000000-0000-4000-8000-00000000c0de'

const { builtins, setTypeParser } = pg.types
setTypeParser(builtins.INT8, Number)
setTypeParser(builtins.NUMERIC, Number)
setTypeParser(builtins.TIMESTAMPTZ, isoOf)

/** PostgreSQL's text format of a time in UTC. */
const IN_UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/
/** A time as ISO 8601. Cuts the text where possible, because parsing a date takes sixty times as long. */
function isoOf(value: string): string {
  if (!IN_UTC.test(value)) return new Date(value).toISOString()
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(3, '0').slice(0, 3)}Z`
}

/** Runs statements: a client, or a pool that takes one for each. */
type Queryable = Pick<pg.ClientBase, 'query'>

/** A frequent query, which each connection prepares once under its name. */
export interface NamedQuery extends CompiledQuery {
  readonly name?: string
}

/** Consumer of durations of statements, in milliseconds; their values are not among the text. */
type Timed = (text: string, ms: number) => void

class Connection implements DatabaseConnection {
  readonly #on: Queryable
  readonly #timed: Timed
  constructor(on: Queryable, timed: Timed) {
    this.#on = on
    this.#timed = timed
  }
  async executeQuery<R>({ sql: text, parameters, name }: NamedQuery): Promise<QueryResult<R>> {
    const values = parameters as unknown[]
    const began = performance.now()
    const result = await this.#on.query(name === undefined ? { text, values } : { name, text, values })
    this.#timed(text, performance.now() - began)
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
  }
  // oxlint-disable-next-line require-yield -- Kysely asks every connection for the method
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not offered: ask for a page.')
  }
}

const noTransactions = async (): Promise<void> => {
  throw new Error('The transaction is already open.')
}

/** A query builder on a client, whose transaction `Database` opens and closes, or on a pool without transactions. */
function builderOn(on: Queryable, timed: Timed): Kysely<Tables> {
  const connection = new Connection(on, timed)
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: noTransactions,
    commitTransaction: noTransactions,
    rollbackTransaction: noTransactions,
    releaseConnection: async () => {},
    destroy: async () => {},
  }
  return new Kysely<Tables>({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

/** State of a transaction: the events to append before it commits, and the work to do afterwards. */
interface Unit {
  readonly client: pg.ClientBase
  readonly organisationId: string
  readonly actor: EventActor
  readonly events: Event[]
  readonly afterwards: (() => void)[]
  /** Hook handlers of the nouns, in their order. */
  readonly hooks: readonly HookHandlers[]
  readonly timed: Timed
}
/** The actor of an event. */
export interface EventActor {
  readonly kind: 'person' | 'key' | 'staff' | 'link' | 'system'
  readonly id: string | null
  /** Email address of people and staff, name of keys. */
  readonly name: string
  /** Facts that each event of the actor carries, such as the address of a visitor. */
  readonly facts?: Changes
}

/** Whoever may start commands on the server itself. */
export const OPERATOR: EventActor = { kind: 'system', id: null, name: 'operator of the server' }

const units = new WeakMap<object, Unit>()
/** The unit of work behind a transaction's builder. */
export function unitOf(db: object): Unit {
  const unit = units.get(db)
  if (!unit) throw new Error('This transaction is over.')
  return unit
}

const lockKey = (what: string) => sql`hashtextextended(${what}::text || ' ' || current_organisation(), 0)`
/** Takes a lock of the organisation for `what` until the transaction ends. */
export async function lockFor(db: TransactionDb, what: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey(what)})`.execute(db)
}
/** Takes the lock unless another transaction holds it. Returns whether it did. */
export async function tryLockFor(db: TransactionDb, what: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${lockKey(what)}) as taken`.execute(db)
  return rows[0]!.taken
}

/** Runs `work` after the commit, never after a rollback. */
export const afterCommit = (db: TransactionDb, work: () => void): void =>
  void unitOf(db).afterwards.push(work)

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (value: string): boolean => UUID.test(value)
/**
 * An identifier as an SQL literal.
 * @throws Error for anything but a UUID
 */
function literal(uuid: string): string {
  if (!isUuid(uuid)) throw new Error('Not an identifier.')
  return `'${uuid}'`
}

/** Consumer of a transaction's events: appends them before the commit, publishes them afterwards. */
export interface EventSink {
  /** Sends its single query before it returns, so that the commit follows immediately. */
  append(client: pg.ClientBase, unit: Unit): Promise<void>
  publish(organisationId: string): void
}

/** Parameters for the transaction of an organisation. */
export interface Opening<Row> {
  readonly organisationId: string
  readonly lookup?: Lookup
  /** The actor, from the row that `lookup` found; may throw a refusal. */
  readonly actor: (row: Row | undefined) => EventActor
}
/** Parameters for a transaction of the provider. */
export type ProviderOpening<Row> = Omit<Opening<Row>, 'organisationId'>

export interface Database {
  readonly pool: pg.Pool
  /** Opens the organisation, runs `work` and commits; a throw rolls back. */
  withOrganisation<T, Row = unknown>(
    opening: Opening<Row>,
    work: (db: OrgDb, row: Row) => Promise<T>,
  ): Promise<T>
  /** Opens a transaction across organisations. */
  withProvider<T, Row = unknown>(
    by: EventActor | ProviderOpening<Row>,
    work: (db: ProviderDb, row: Row) => Promise<T>,
  ): Promise<T>
  /**
   * Runs `work` in one organisation as its member, within a transaction of the provider and with its actor. Events go
   * to the organisation's stream. A throw must end the whole transaction.
   */
  enterOrganisation<T>(db: ProviderDb, organisationId: string, work: (db: OrgDb) => Promise<T>): Promise<T>
  /** Queries of the kit on tables without an organisation, each in its own transaction. */
  readonly directory: Kysely<Tables>
  close(): Promise<void>
}

/** With `pipeline` a client sends queries before earlier responses arrive; its types lack the option. */
interface PipeliningConfig extends pg.PoolConfig {
  readonly pipeline?: boolean
}
/**
 * A pool that survives lost connections. pg-pool listens for errors of idle clients only; without a listener, the
 * 'error' of a checked-out client would end the process.
 */
export function makePool(config: PipeliningConfig, onConnectionError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('connect', (client) => client.on('error', onConnectionError))
  // The client's listener reports the error; the pool emits it again for an idle client.
  pool.on('error', () => {})
  return pool
}

type Role = 'muster_member' | 'muster_provider'
const stepInto = (role: Role, organisationId: string): string =>
  `set local role ${role}; set local app.organisation = ${literal(organisationId)}`

/** Opens an organisation on a connection and runs the lookup: one message of several statements. */
function openingOn(
  client: pg.ClientBase,
  role: Role,
  { organisationId, lookup }: Pick<Opening<unknown>, 'organisationId' | 'lookup'>,
  lookupText: LookupText,
): string {
  return `begin; ${stepInto(role, organisationId)}; ${lookup ? lookupText(client, lookup) : ''}`
}

/** Appends a unit's events and schedules their publication after the commit. */
async function append(sink: EventSink, unit: Unit): Promise<void> {
  if (unit.events.length === 0) return
  await sink.append(unit.client, unit)
  unit.afterwards.unshift(() => sink.publish(unit.organisationId))
}

/** Works for the provider, whose log says what was done in organisations. */
const isOfProvider = (actor: EventActor): boolean => actor.kind === 'staff' || actor === OPERATOR

/**
 * Events about staff in an organisation for the provider's stream: without contents, and without events that the
 * provider records itself.
 */
const mirrored = ({ organisationId, events }: Unit, provider: Unit): Event[] =>
  events
    .filter(({ record }) => !provider.events.some((known) => known.record === record))
    .map((event) => ({ ...event, parent: organisationId, changes: {}, externals: [] }))

const entering =
  (sink: EventSink): Database['enterOrganisation'] =>
  async (db, organisationId, work) => {
    const outer = unitOf(db)
    const inner = builderOn(outer.client, outer.timed) as OrgDb
    const unit: Unit = { ...outer, organisationId, events: [] }
    units.set(inner, unit)
    // Staff may enter closed organisations.
    await outer.client.query(`${stepInto('muster_member', organisationId)}; set local app.entered = 'on'`)
    const result = await work(inner)
    if (isOfProvider(unit.actor)) outer.events.push(...mirrored(unit, outer))
    await append(sink, unit)
    await outer.client.query(`${stepInto('muster_provider', PROVIDER_ID)}; set local app.entered = 'off'`)
    units.delete(inner)
    return result
  }

/** The result of a transaction, with its last query, which the commit follows immediately. */
interface Finished<T> {
  readonly done: T
  readonly last: Promise<void>
}
/** Begins, runs `work` and commits on one connection; a throw rolls back. */
async function inTransaction<T>(
  pool: pg.Pool,
  begin: (client: pg.PoolClient) => string,
  work: (client: pg.PoolClient, rows: pg.QueryResult[]) => Promise<Finished<T>>,
  forget: (client: pg.PoolClient) => void,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  const doubt = (failure: Error) => {
    broken = failure
  }
  try {
    const opening = client.query(begin(client)) as Promise<unknown>
    // A failed opening leaves the connection's prepared statements unknown.
    opening.catch(doubt)
    const opened = await opening
    const results = Array.isArray(opened) ? (opened as pg.QueryResult[]) : [opened as pg.QueryResult]
    const { done, last } = await work(client, results)
    // Sent together: if the last query fails, the commit behind it rolls back.
    await Promise.all([last, client.query('commit')])
    return done
  } catch (error) {
    await client.query('rollback').catch(doubt)
    throw error
  } finally {
    forget(client)
    client.release(broken)
  }
}

/**
 * Connects to PostgreSQL. The login role owns the tables and never reads a tenant's rows: every transaction first
 * switches to `muster_member` (or `muster_provider`).
 */
export function connect(
  config: pg.PoolConfig,
  sink: EventSink,
  onConnectionError: (error: Error) => void,
  hooks: readonly HookHandlers[] = [],
  timed: Timed = () => {},
): Database {
  const pool = makePool({ ...config, pipeline: true }, onConnectionError)
  // JIT compilation of an expensively planned statement takes tens of milliseconds, our statements a few.
  pool.on('connect', (client) => void client.query('set jit = off').catch(onConnectionError))
  const lookupText = preparedLookups()
  const builders = new WeakMap<pg.ClientBase, Kysely<Tables>>()
  const builderFor = (client: pg.ClientBase) => {
    const known = builders.get(client)
    if (known) return known
    const made = builderOn(client, timed)
    builders.set(client, made)
    return made
  }

  /** Opens a transaction of a role, runs `work`, appends the events, and publishes them after the commit. */
  async function inUnit<T, Row>(
    role: Role,
    opening: Opening<Row>,
    work: (db: Kysely<Tables>, row: Row) => Promise<T>,
  ): Promise<T> {
    const afterwards: (() => void)[] = []
    const begin = (client: pg.ClientBase) => openingOn(client, role, opening, lookupText)
    const result = await inTransaction(
      pool,
      begin,
      async (client, results) => {
        const row = (opening.lookup ? results.at(-1)?.rows[0] : undefined) as Row | undefined
        const db = builderFor(client)
        const { organisationId } = opening
        const actor = opening.actor(row)
        const unit: Unit = { client, organisationId, actor, events: [], afterwards, hooks, timed }
        units.set(db, unit)
        const done = await work(db, row as Row)
        return { done, last: append(sink, unit) }
      },
      (client) => units.delete(builderFor(client)),
    )
    for (const work of afterwards) work()
    return result
  }

  return {
    pool,
    directory: builderOn(pool, timed),
    withOrganisation: (opening, work) =>
      inUnit('muster_member', opening, (db, row) => work(db as OrgDb, row as never)),
    withProvider: (by, work) => {
      const opening = 'actor' in by ? by : { actor: () => by }
      return inUnit(
        'muster_provider',
        { ...opening, organisationId: PROVIDER_ID } as Opening<unknown>,
        (db, row) => work(db as ProviderDb, row as never),
      )
    },
    enterOrganisation: entering(sink),
    close: () => pool.end(),
  }
}
