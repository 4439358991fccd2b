import { clock } from '../clock.ts'
import { type EventSink, type OrgDb, unitOf } from '../database/db.ts'

/** A changed field: its value before and after. */
export interface Change {
  readonly from: unknown
  readonly to: unknown
}
export type Changes = { readonly [field: string]: Change }

/** One thing that happened, told in the transaction that did it (design §5). */
export interface Event {
  readonly noun: string
  readonly record: string
  /** Id of the record that this one belongs to, such as an activity's incident. */
  readonly parent: string | null
  /** In the past: created, changed, resolved. */
  readonly verb: string
  readonly changes: Changes
  /** External people who may receive the event; internal people receive it by their permissions. */
  readonly externals: readonly string[]
  readonly at: string
}

declare module '#server/kit/database/db.ts' {
  interface Tables {
    events: {
      id: string
      sequence: number
      at: string
      actor: { kind: string; id: string | null; name: string }
      noun: string
      record: string
      parent: string | null
      verb: string
      changes: Changes
      externals: string[]
      hash: Buffer
    }
    event_heads: { sequence: number; hash: Buffer }
  }
}

type NewEvent = Pick<Event, 'noun' | 'record' | 'verb'> & Partial<Event>

/** Notes an event; it is appended to the organisation's stream just before the transaction commits. */
export function record(db: OrgDb, event: NewEvent): void {
  unitOf(db).events.push({ parent: null, changes: {}, externals: [], at: clock.timestamp(), ...event })
}

/**
 * Who changed a record last, for the refusal of a save that came too late.
 * @param verbs what counts as a change; everything that happened to it where they are left out
 * @returns null when nobody did since the stream began
 */
export async function findLastEditor(
  db: OrgDb,
  noun: string,
  record: string,
  verbs?: readonly string[],
): Promise<string | null> {
  const row = await db
    .selectFrom('events')
    .select('actor')
    .where('noun', '=', noun)
    .where('record', '=', record)
    .$if(verbs !== undefined, (all) => all.where('verb', 'in', verbs!))
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.actor.name ?? null
}

const unchanged = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b)
/** What differs between a record before and after, among the named fields. */
export function changesBetween<T extends object>(
  before: T,
  after: T,
  fields: readonly (keyof T & string)[],
): Changes {
  return Object.fromEntries(
    fields
      .filter((field) => !unchanged(before[field], after[field]))
      .map((field) => [field, { from: before[field] ?? null, to: after[field] ?? null }]),
  )
}

/** The names of the stream and the contract, and the columns behind them. */
export type Columns<Row> = { readonly [field: string]: keyof Row & string }
const content = <Row>(row: Row | null, columns: Columns<Row>): { [field: string]: unknown } =>
  Object.fromEntries(Object.entries(columns).map(([field, column]) => [field, row?.[column] ?? null]))
/** The changed columns between two states of a row; null stands for a missing row. */
export function changesOf<Row>(before: Row | null, after: Row | null, columns: Columns<Row>): Changes {
  return changesBetween(content(before, columns), content(after, columns), Object.keys(columns))
}

/** Appends a transaction's events in one statement, and publishes to the bus after the commit. */
export const eventSink = (publish: EventSink['publish']): EventSink => ({
  append: async (client, unit) => {
    await client.query('select append_events($1::jsonb, $2::jsonb)', [
      JSON.stringify(unit.actor),
      JSON.stringify(unit.events),
    ])
  },
  publish,
})
