import { clock } from '../core/clock.ts'
import type { Change, Changes, Event } from '../core/event.ts'
import { type EventSink, type OrgDb, type TransactionDb, unitOf } from '../database/db.ts'

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

/** Records an event; appended to the stream of the opened organisation, or of the provider, before the commit. */
export function record(db: TransactionDb, event: NewEvent): void {
  const { actor, events } = unitOf(db)
  const changes = { ...event.changes, ...actor.facts }
  events.push({ parent: null, externals: [], at: clock.timestamp(), ...event, changes })
}

/**
 * The person who changed a record last, for the refusal of a stale save.
 * @param verbs verbs that count as a change; by default all
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

const isEqual = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b)
/** Differences between a record before and after, among the named fields; null stands for a missing record. */
export function changesBetween<T extends object>(
  before: T | null,
  after: T | null,
  fields: readonly (keyof T & string)[],
): Changes {
  const changes = fields.map((field) => [
    field,
    { from: before?.[field] ?? null, to: after?.[field] ?? null },
  ]) satisfies [string, Change][]
  return Object.fromEntries(changes.filter(([, { from, to }]) => !isEqual(from, to)))
}

/** Appends a transaction's events in one statement, and publishes to the bus after the commit. */
export const eventSink = (publish: EventSink['publish']): EventSink => ({
  append: async (client, unit) => {
    await client.query('select append_events($1::jsonb, $2::jsonb)', [
      JSON.stringify({ ...unit.actor, facts: undefined }),
      JSON.stringify(unit.events),
    ])
  },
  publish,
})
