import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'

import { TIMELINE_PEOPLE_MAX, TimelineEntry } from '#contract/incident-timeline/schema.ts'
import { type ColumnsOf, fieldsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

const Stored = z.omit(TimelineEntry, { message: true, canEdit: true })
/** An entry by hand as stored. */
export interface EntryRow extends z.infer<typeof Stored> {
  /** The chat message that it was made from. */
  messageId: string | null
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    timeline_entries: ColumnsOf<EntryRow>
  }
}
const ENTRY = selectionOf([...fieldsOf(Stored), 'messageId'] as const)

/** The entries of an incident in the order in which they happened, removed ones too. */
export const listEntries = (db: OrgDb, incidentId: string): Promise<EntryRow[]> =>
  db
    .selectFrom('timeline_entries')
    .select(ENTRY)
    .where('incident_id', '=', incidentId)
    .orderBy('happened_timestamp')
    .orderBy(sql`"position"`)
    .execute()

export const listEntriesById = (db: OrgDb, ids: readonly string[]): Promise<EntryRow[]> =>
  db
    .selectFrom('timeline_entries')
    .select(ENTRY)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()

/** An entry, locked until the transaction ends. */
export const holdEntry = (db: OrgDb, id: string): Promise<EntryRow | undefined> =>
  db.selectFrom('timeline_entries').select(ENTRY).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** The incident of an entry. */
export async function findIncidentOfEntry(db: OrgDb, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('timeline_entries')
    .select('incident_id as incidentId')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.incidentId
}

/** True when an incident has an entry made from a message, which was not removed. */
export async function hasEntryOf(db: OrgDb, messageId: string, incidentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('timeline_entries')
    .select('id')
    .where('message_id', '=', messageId)
    .where('incident_id', '=', incidentId)
    .where('removed_timestamp', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertEntry(db: OrgDb, row: EntryRow): Promise<void> {
  await db.insertInto('timeline_entries').values(valuesOf(row)).execute()
}

/** Changes an entry and increments its version. */
export async function updateEntry(
  db: OrgDb,
  id: string,
  changes: Partial<Omit<EntryRow, 'id' | 'version'>>,
): Promise<void> {
  await db
    .updateTable('timeline_entries')
    .set({ ...valuesOf(changes), version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

/** Place of an act in a timeline: microseconds of the epoch, 0 for an event and 1 for an entry, and its number there. */
export interface Place {
  readonly micros: string
  readonly source: 0 | 1
  readonly n: string
}
export interface Sought {
  readonly incidentId: string
  /** Nouns of the event stream. */
  readonly nouns: readonly string[]
  /** Only tasks, or only updates, among the activities; both for null. */
  readonly activities: 'TASK' | 'UPDATE' | null
  readonly withEntries: boolean
  /** Name of the author in the events. */
  readonly person: string | null
}
/** An act of a page, by its event or its entry. */
export interface ActRef extends Place {
  readonly sequence: number | null
  readonly entryId: string | null
  readonly at: string
}

const DECISIONS = 'incident-decisions'
/** Saved drafts of situation reports and of duties are no news (`isNews` of the sentences). */
const isNews = sql`not (e.noun = 'situation-reports' and e.verb = 'changed')
  and not (e.noun = 'duties' and e.verb = 'drafted')`
/** Records of updates among the activities of an incident, deleted ones too. */
const updatesOf = (incidentId: string) => sql`(select a.record from events a
  where a.parent = ${incidentId} and a.noun = 'activities' and a.verb = 'added'
    and a.changes -> 'type' ->> 'to' = 'UPDATE')`

/** Events of the alias `e` that match; the time of a decided decision is its own. */
function matching({ incidentId, nouns, activities, person }: Sought): RawBuilder<unknown> {
  const kind =
    activities === null || !nouns.includes('activities')
      ? sql``
      : sql`and (e.noun <> 'activities' or e.record ${activities === 'TASK' ? sql`not in` : sql`in`} ${updatesOf(incidentId)})`
  const by = person === null ? sql`` : sql`and e.actor ->> 'name' = ${person}`
  return sql`e.noun = any(${nouns}::text[]) and ${isNews} ${kind} ${by}`
}
const notDecided = sql`not (e.noun = ${sql.lit(DECISIONS)} and e.verb = 'decided')`

/** Acts of a timeline before a place, newest first. */
export async function listActs(
  db: OrgDb,
  sought: Sought,
  before: Place | null,
  limit: number,
): Promise<ActRef[]> {
  const { incidentId, nouns, withEntries, person } = sought
  const cursor = before && sql`(timestamptz 'epoch' + ${before.micros}::bigint * interval '1 microsecond')`
  const place = (at: RawBuilder<unknown>, source: 0 | 1, n: RawBuilder<unknown>) =>
    cursor === null
      ? sql`true`
      : sql`${at} <= ${cursor} and (${at}, ${sql.lit(source)}, ${n}) < (${cursor}, ${before!.source}::int, ${before!.n}::bigint)`
  const events = (which: RawBuilder<unknown>) => sql`(
    select e.at as at, 0 as source, e.sequence as n, e.sequence as sequence, null::uuid as entry_id
      from events e
     where ${which} and ${matching(sought)} and ${notDecided} and ${place(sql`e.at`, 0, sql`e.sequence`)}
     order by e.at desc, e.sequence desc limit ${limit})`
  const parts = [
    events(sql`e.parent = ${incidentId}`),
    ...(nouns.includes('incidents') ? [events(sql`e.noun = 'incidents' and e.record = ${incidentId}`)] : []),
    ...(nouns.includes(DECISIONS)
      ? [
          sql`(select d.decided_timestamp, 0, e.sequence, e.sequence, null
            from incident_decisions d
            join events e on e.noun = ${sql.lit(DECISIONS)} and e.record = d.id::text and e.verb = 'decided'
           where d.incident_id = ${incidentId}::uuid and ${matching(sought)}
             and ${place(sql`d.decided_timestamp`, 0, sql`e.sequence`)}
           order by 1 desc, 3 desc limit ${limit})`,
        ]
      : []),
    ...(withEntries
      ? [
          sql`(select t.happened_timestamp, 1, t."position", null, t.id
            from timeline_entries t
           where t.incident_id = ${incidentId}::uuid ${person === null ? sql`` : sql`and t.created_by = ${person}`}
             and ${place(sql`t.happened_timestamp`, 1, sql`t."position"`)}
           order by t.happened_timestamp desc, t."position" desc limit ${limit})`,
        ]
      : []),
  ]
  const { rows } = await sql<ActRef>`
    select (extract(epoch from at) * 1000000)::bigint::text as micros, source, n::text as n,
      sequence, entry_id as "entryId", at
    from (${sql.join(parts, sql` union all `)}) acts
    order by acts.at desc, acts.source desc, acts.n desc limit ${limit}`.execute(db)
  return rows
}

/** Tasks and updates of an incident in the order of their addition, deleted ones too. */
export async function listAdded(
  db: OrgDb,
  incidentId: string,
): Promise<{ record: string; type: 'TASK' | 'UPDATE' }[]> {
  const { rows } = await sql<{ record: string; type: 'TASK' | 'UPDATE' }>`
    select record, changes -> 'type' ->> 'to' as type from events
     where parent = ${incidentId} and noun = 'activities' and verb = 'added' order by sequence`.execute(db)
  return rows
}

/** Numbers of acts by noun, tasks and updates apart. */
export async function countActs(
  db: OrgDb,
  sought: Sought,
): Promise<{ noun: string; isUpdate: boolean; count: number }[]> {
  const { incidentId, person } = sought
  const { rows } = await sql<{ noun: string; isUpdate: boolean; count: number }>`
    select e.noun, e.noun = 'activities' and e.record in ${updatesOf(incidentId)} as "isUpdate", count(*) as count
      from events e
     where (e.parent = ${incidentId} or (e.noun = 'incidents' and e.record = ${incidentId})) and ${matching(sought)}
     group by 1, 2
    union all
    select 'incident-timeline', false, count(*) from timeline_entries t
     where t.incident_id = ${incidentId}::uuid ${person === null ? sql`` : sql`and t.created_by = ${person}`}`.execute(
    db,
  )
  return rows
}

/** Authors of a timeline, the busiest first. */
export async function listAuthors(
  db: OrgDb,
  { incidentId, nouns }: Sought,
): Promise<{ author: string; count: number }[]> {
  const { rows } = await sql<{ author: string; count: number }>`
    select author, count(*) as count from (
      select e.actor ->> 'name' as author from events e
       where (e.parent = ${incidentId} or (e.noun = 'incidents' and e.record = ${incidentId}))
         and e.noun = any(${nouns}::text[])
      union all
      select t.created_by from timeline_entries t where t.incident_id = ${incidentId}::uuid) acts
     where author is not null
     group by author order by 2 desc, 1 limit ${sql.lit(TIMELINE_PEOPLE_MAX)}`.execute(db)
  return rows
}

/** Times of decided decisions by id, where they differ from the time of their event. */
export async function listDecidedTimes(db: OrgDb, incidentId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; at: string }>`
    select id, decided_timestamp as at from incident_decisions
     where incident_id = ${incidentId}::uuid and decided_timestamp is not null`.execute(db)
  return new Map(rows.map(({ id, at }) => [id, at]))
}
