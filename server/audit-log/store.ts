import { type RawBuilder, sql } from 'kysely'

import type { AuditChoices, ProviderLogFilter } from '#contract/audit-log/schema.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import type { Changes } from '#server/kit/core/event.ts'

/** An event as stored, with its record's name. */
export interface AuditRow {
  readonly id: string
  readonly sequence: number
  readonly timestamp: string
  readonly actor: EventActor
  readonly noun: string
  readonly verb: string
  readonly record: string
  readonly recordName: string | null
  readonly parent: string | null
  readonly parentName: string | null
  readonly changes: Changes
  readonly fingerprint: string
}

/** A page of the events that match a filter. */
export interface EventQuery {
  readonly filter: ProviderLogFilter
  readonly order: 'ASC' | 'DESC'
  readonly limit: number
  readonly offset: number
  /** Only events after this sequence. */
  readonly after?: number
  /** Only events up to this sequence. */
  readonly upTo?: number
}

function matching({
  actor,
  noun,
  from,
  to,
  notifications,
  organisation,
}: ProviderLogFilter): RawBuilder<boolean>[] {
  return [
    ...(actor === undefined ? [] : [sql<boolean>`actor_key = ${actor}`]),
    ...(noun === undefined ? [] : [sql<boolean>`noun = ${noun}`]),
    ...(from === undefined ? [] : [sql<boolean>`at >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`at < ${to}`]),
    ...(notifications === false ? [sql<boolean>`noun <> 'notifications'`] : []),
    ...(organisation === undefined
      ? []
      : [sql<boolean>`(parent = ${organisation} or (noun = 'organisations' and record = ${organisation}))`]),
  ]
}
const all = (conditions: readonly RawBuilder<boolean>[]) =>
  sql<boolean>`${sql.join([sql`true`, ...conditions], sql` and `)}`

/** All events of the organisation: they are numbered without gaps. */
const EVERY_EVENT = sql<number>`coalesce((select sequence from event_heads), 0)`

/** Counts the matching events. The log's default view is counted by what it excludes. */
export async function countEvents(db: OrgDb, filter: ProviderLogFilter): Promise<number> {
  const { notifications, ...others } = filter
  const narrowed = matching(others)
  const count = (conditions: readonly RawBuilder<boolean>[]) =>
    sql<number>`(select count(*) from events where ${all(conditions)})`
  const total =
    narrowed.length > 0
      ? count(matching(filter))
      : notifications === false
        ? sql`${EVERY_EVENT} - ${count([sql`noun = 'notifications'`])}`
        : EVERY_EVENT
  const { rows } = await sql<{ total: number }>`select ${total} as total`.execute(db)
  return rows[0]!.total
}

// The record's name in an event: set by creating, renaming or deleting the record.
const NAME = sql`coalesce(n.changes #>> '{name,to}', n.changes #>> '{title,to}', n.changes #>> '{name,from}',
  n.changes #>> '{title,from}')`

/** A page of the matching events. An index finds the beginning of the page; only its rows are read. */
export async function listEvents(
  db: OrgDb,
  { filter, order, limit, offset, after, upTo }: EventQuery,
): Promise<AuditRow[]> {
  const direction = sql.raw(order)
  const conditions = [
    ...matching(filter),
    ...(after === undefined ? [] : [sql<boolean>`sequence > ${after}`]),
    ...(upTo === undefined ? [] : [sql<boolean>`sequence <= ${upTo}`]),
  ]
  const { rows } = await sql<AuditRow>`
    with page as materialized (
      select sequence from events where ${all(conditions)}
      order by sequence ${direction} limit ${limit} offset ${offset}
    )
    select e.id, e.sequence, e.at as timestamp, e.actor, e.noun, e.verb, e.record, e.parent, e.changes,
      encode(e.hash, 'hex') as fingerprint, null as "parentName",
      (select ${NAME} from events n
        where n.noun = e.noun and n.record = e.record and n.sequence <= e.sequence
          and n.changes ?| array['name', 'title']
        order by n.sequence desc limit 1) as "recordName"
    from page join events e using (sequence)
    order by e.sequence ${direction}`.execute(db)
  return rows
}

export const findEvent = async (db: OrgDb, sequence: number): Promise<AuditRow | undefined> =>
  (
    await listEvents(db, {
      filter: {},
      order: 'ASC',
      limit: 1,
      offset: 0,
      after: sequence - 1,
      upTo: sequence,
    })
  )[0]

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Current names of records of any kind: people by their names, others by the latest name in the stream. */
export async function listNames(db: OrgDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)].filter((id) => UUID.test(id))
  if (wanted.length === 0) return new Map()
  const nouns = (await listNouns(db)).filter((noun) => noun !== 'users')
  const { rows } = await sql<{ id: string; name: string | null }>`
    select of.id, coalesce(
      (select trim(u.first_name || ' ' || u.last_name) from users u where u.id = of.id::uuid),
      (select ${NAME} from unnest(${nouns}::text[]) as kind (noun) cross join lateral (
        select changes, sequence from events
        where noun = kind.noun and record = of.id and changes ?| array['name', 'title']
        order by sequence desc limit 1) n order by n.sequence desc limit 1)
    ) as name
    from unnest(${wanted}::text[]) as of (id)`.execute(db)
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])))
}

/** The kinds of record in the stream, each found by one index lookup. */
export async function listNouns(db: OrgDb): Promise<string[]> {
  const { rows } = await sql<{ noun: string }>`
    with recursive kinds (noun) as (
      (select noun from events order by noun limit 1)
      union all
      select (select e.noun from events e where e.noun > kinds.noun order by e.noun limit 1)
      from kinds where kinds.noun is not null
    ) select noun from kinds where noun is not null`.execute(db)
  return rows.map(({ noun }) => noun)
}

/** Actors that are not people, under the latest name of each. */
export async function listOtherActors(db: OrgDb): Promise<AuditChoices['actors']> {
  const { rows } = await sql<{ key: string; kind: 'key' | 'staff' | 'link' | 'system'; name: string }>`
    with recursive keys (key) as (
      (select actor_key from events order by actor_key limit 1)
      union all
      -- Straight over the people, who may be thousands.
      select coalesce(
        (select e.actor_key from events e where e.actor_key > keys.key and e.actor_key < 'person:'
          order by e.actor_key limit 1),
        (select e.actor_key from events e where e.actor_key > greatest(keys.key, 'person;')
          order by e.actor_key limit 1))
      from keys where keys.key is not null
    )
    select keys.key, last.actor ->> 'kind' as kind, last.actor ->> 'name' as name
    from keys cross join lateral (
      select actor from events where actor_key = keys.key order by sequence desc limit 1) last
    where keys.key is not null and keys.key not like 'person:%'`.execute(db)
  return rows
}

/** The last event of the stream; null before its first event. */
export async function findHead(db: OrgDb): Promise<{ sequence: number } | null> {
  const row = await db.selectFrom('event_heads').select('sequence').executeTakeFirst()
  return row ?? null
}

export interface Checked {
  /** Number of events checked. */
  readonly count: number
  readonly last: {
    readonly sequence: number
    readonly timestamp: string
    readonly fingerprint: string
  } | null
  readonly broken: number | null
  readonly head: { readonly sequence: number; readonly fingerprint: string } | null
}

/**
 * Checks the next events of the chain: sequences without gaps, and fingerprints that follow from the one before and the
 * event's content. One statement reads head and events, at one moment.
 */
export async function checkEvents(
  db: OrgDb,
  from: { readonly after: number; readonly fingerprint: string | null },
  most: number,
): Promise<Checked> {
  interface Row {
    count: number
    broken: number | null
    last: string | null
    at: string | null
    sequence: number | null
    head: string | null
    head_sequence: number | null
  }
  const { rows } = await sql<Row>`
    with part as materialized (
      select * from events where sequence > ${from.after} order by sequence limit ${most}
    ), looked as materialized (
      select sequence, at, hash, sequence = ${from.after}::bigint + row_number() over (order by sequence)
        and hash = event_hash(
          coalesce(lag(hash) over (order by sequence), decode(${from.fingerprint ?? ''}, 'hex')),
          sequence, id, at, actor, noun, record, parent, verb, changes, externals) as holds
      from part
    ), chained as materialized (
      select sequence, at, hash, bool_and(holds) over (order by sequence) as holds from looked
    ), final as (
      select sequence, at, hash from chained where holds order by sequence desc limit 1
    )
    select (select count(*) from chained) as count,
      (select min(sequence) from chained where not holds) as broken,
      (select encode(hash, 'hex') from final) as last, (select at from final) as at,
      (select sequence from final) as sequence,
      (select encode(hash, 'hex') from event_heads) as head, (select sequence from event_heads) as head_sequence
  `.execute(db)
  const { count, broken, last, at, sequence, head, head_sequence } = rows[0]!
  return {
    count,
    broken,
    last: last === null ? null : { sequence: sequence!, timestamp: at!, fingerprint: last },
    head: head === null ? null : { sequence: head_sequence!, fingerprint: head },
  }
}
