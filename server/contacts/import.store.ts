import { type RawBuilder, sql } from 'kysely'

import { CONTACT_PHONES } from '#contract/contacts/rules.ts'
import { columnOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

/*
 * Imports work on sets: statements join a whole report with the contacts. Nested loops are off meanwhile, because
 * PostgreSQL has no statistics yet of rows that the same transaction wrote, and would loop over thousands of them.
 */

declare module '#server/kit/database/db.ts' {
  interface Tables {
    /** Contacts in lists whom the files of a source have named. */
    contact_sources: { source: string; list_id: string; contact_id: string; import_id: string }
  }
}

/** Fields that an import sets, beside the lists. */
const FIELDS = ['name', ...CONTACT_PHONES] as const
const COLUMNS = sql.join(FIELDS.map((field) => sql.ref(columnOf(field))))
const perField = (part: (field: RawBuilder<unknown>, column: RawBuilder<unknown>) => RawBuilder<unknown>) =>
  sql.join(FIELDS.map((field) => part(sql.lit(field), sql.ref(columnOf(field)))))

/** The fields of a contact `c` as JSON. */
const FIELDS_OF = sql`jsonb_build_object(${perField((field, column) => sql`${field}, c.${column}`)})`
/** Fields of a new contact that its file lacks. */
const BLANK = sql`${sql.lit(
  JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, field === 'name' ? '' : null]))),
)}::jsonb`
const NAMES = sql`jsonb_agg(l.name order by l.sort_key, l.id)`
/** Contacts with all their fields and lists, as JSON. */
const currentOf = (contacts: RawBuilder<unknown>) => sql`
  select c.id, c.email, ${FIELDS_OF} || jsonb_build_object('lists', coalesce(own.lists, '[]')) as values
  from (${contacts}) c left join (
    select m.contact_id, ${NAMES} as lists from contact_list_members m join contact_lists l on l.id = m.list_id
    group by m.contact_id) own on own.contact_id = c.id`

const withoutLoops = (db: OrgDb) => sql`set local enable_nestloop = off`.execute(db)
const withLoops = (db: OrgDb) => sql`set local enable_nestloop = on`.execute(db)

/**
 * Adds rows of a file to a report, with what they are going to do. Lists exist already.
 * @param batches rows as JSON (`ReadRow`); no address comes twice
 */
export async function planRows(db: OrgDb, importId: string, batches: readonly string[]): Promise<void> {
  await withoutLoops(db)
  for (const batch of batches)
    await sql`
      with r as materialized (
        select * from jsonb_to_recordset(${batch}::jsonb)
          as r (n integer, "row" integer, email text, "values" jsonb, lists text[], message text)),
      c as materialized (
        ${currentOf(sql`select c.* from contacts c where c.email in (select email from r where message is null)`)}),
      named as (
        select r.n, l.* from r cross join unnest(r.lists) as of (key) join contact_lists l on l.name_key = of.key
        union
        select r.n, l.* from r join c on c.email = r.email cross join jsonb_array_elements_text(c.values -> 'lists') as of (name)
          join contact_lists l on l.name = of.name),
      wanted as (
        select r.n, r."values" || jsonb_build_object('lists', l.lists) as values
        from r join (select l.n, ${NAMES} as lists from named l group by l.n) l on l.n = r.n where r.message is null),
      change as (
        select w.n, jsonb_object_agg(field.key, c.values -> field.key) as before,
          jsonb_object_agg(field.key, field.value) as after
        from wanted w join r on r.n = w.n join c on c.email = r.email cross join jsonb_each(w.values) field
        where field.value is distinct from c.values -> field.key group by w.n)
      insert into import_rows (import_id, n, row_number, email, lists, record_id, outcome, before, after, message)
      select ${importId}, r.n, r."row", r.email, r.lists,
        case when r.message is null then coalesce(c.id, gen_random_uuid()) end,
        case when r.message is not null then 'PROBLEM' when c.id is null then 'ADDED'
          when change.n is null then 'UNCHANGED' else 'CHANGED' end,
        change.before,
        case when c.id is null then ${BLANK} || wanted.values else change.after end,
        r.message
      from r left join c on c.email = r.email and r.message is null
        left join wanted on wanted.n = r.n left join change on change.n = r.n`.execute(db)
  await withLoops(db)
}

const isOf = (importId: string) => sql`r.import_id = ${importId}`
/** Rows `r` with the lists `l` that are named in one JSON and not in another one. */
const withLists = (names: RawBuilder<unknown>, but: RawBuilder<unknown>) => sql`import_rows r
  cross join jsonb_array_elements_text(${names} -> 'lists') as named (name)
  join contact_lists l on l.name = named.name and not coalesce(${but} -> 'lists' @> to_jsonb(named.name), false)`

/** Adds and changes the contacts of planned rows, and notes that they came from the source. */
export async function applyRows(
  db: OrgDb,
  importId: string,
  source: string | null,
  at: string,
): Promise<void> {
  await withoutLoops(db)
  await sql`insert into contacts (id, email, ${COLUMNS}, create_timestamp, update_timestamp)
    select r.record_id, r.email, ${perField((field) => sql`r.after ->> ${field}`)}, ${at}, ${at}
    from import_rows r where ${isOf(importId)} and r.outcome = 'ADDED'`.execute(db)
  await sql`update contacts c set ${perField(
    (field, column) =>
      sql`${column} = case when jsonb_exists(r.after, ${field}) then r.after ->> ${field} else c.${column} end`,
  )}, update_timestamp = ${at}
    from import_rows r where ${isOf(importId)} and r.outcome = 'CHANGED' and c.id = r.record_id`.execute(db)
  await sql`insert into contact_list_members (list_id, contact_id)
    select l.id, r.record_id from ${withLists(sql`r.after`, sql`r.before`)}
    where ${isOf(importId)} and r.outcome in ('ADDED', 'CHANGED')`.execute(db)
  if (source !== null)
    await sql`insert into contact_sources (source, list_id, contact_id, import_id)
      select ${source}, l.id, r.record_id, ${importId}
      from import_rows r cross join unnest(r.lists) as of (key) join contact_lists l on l.name_key = of.key
      where ${isOf(importId)} and r.record_id is not null and r.outcome <> 'GONE'
      on conflict do nothing`.execute(db)
  await withLoops(db)
}

/** The number of contacts that came from a source into some lists, and the addresses of those whom a file lacks. */
export interface Gone {
  readonly known: number
  readonly emails: string[]
}
/** Adds rows for the contacts that came from the source into the lists of a file, and are not in the file. */
export async function planGone(
  db: OrgDb,
  importId: string,
  source: string,
  listIds: readonly string[],
): Promise<Gone> {
  await withoutLoops(db)
  const came = sql`s.source = ${source} and s.list_id = any(${listIds}::uuid[])`
  const { rows } = await sql<{ email: string }>`
    with file as materialized (
      select r.email, of.key, r.message from import_rows r left join unnest(r.lists) as of (key) on true
      where ${isOf(importId)} and r.email <> ''),
    gone as materialized (
      select s.contact_id, l.name from contact_sources s
        join contacts c on c.id = s.contact_id join contact_lists l on l.id = s.list_id
        left join (select distinct email, key from file where message is null) f on f.email = c.email and f.key = l.name_key
        left join (select distinct email from file where message is not null) p on p.email = c.email
      where ${came} and f.email is null and p.email is null),
    left_out as (select contact_id, jsonb_agg(name) as names from gone group by contact_id),
    c as (${currentOf(sql`select c.* from contacts c where c.id in (select contact_id from gone)`)}),
    stays as (
      select c.id, ${NAMES} as lists from c join left_out o on o.contact_id = c.id
        cross join jsonb_array_elements_text(c.values -> 'lists') as of (name) join contact_lists l on l.name = of.name
      where not o.names @> to_jsonb(of.name) group by c.id)
    insert into import_rows (import_id, n, email, record_id, outcome, before, after)
    select ${importId}, (select coalesce(max(n), -1) from import_rows r where ${isOf(importId)})
        + row_number() over (order by c.email), c.email, c.id, 'GONE', c.values,
      jsonb_build_object('lists', coalesce(stays.lists, '[]'))
    from c left join stays on stays.id = c.id order by c.email
    returning email`.execute(db)
  const { rows: counts } = await sql<{ known: number }>`
    select count(distinct s.contact_id) as known from contact_sources s where ${came}`.execute(db)
  await withLoops(db)
  return { known: counts[0]!.known, emails: rows.map(({ email }) => email) }
}

/** Removes the gone contacts of a report from the lists that it lacks. */
export async function removeGone(db: OrgDb, importId: string): Promise<void> {
  await withoutLoops(db)
  await sql`delete from contact_list_members m using ${withLists(sql`r.before`, sql`r.after`)}
    where ${isOf(importId)} and r.outcome = 'GONE' and m.contact_id = r.record_id and m.list_id = l.id`.execute(
    db,
  )
  await withLoops(db)
}

/** Names of lists, in their order. */
export async function listNamesOf(db: OrgDb, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from contact_lists where id = any(${ids}::uuid[]) order by sort_key, id`.execute(db)
  return rows.map(({ name }) => name)
}

/** Names of the lists that the undoing of a report needs again. */
export async function listsToRestore(db: OrgDb, importId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct named.name from import_rows r
      cross join jsonb_array_elements_text(r.before -> 'lists') as named (name)
    where ${isOf(importId)} and r.outcome = 'GONE' and not r.after -> 'lists' @> to_jsonb(named.name)`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** Decides for each row of a report whether it can be undone: nobody changed the contact since. */
export async function planUndo(db: OrgDb, importId: string, hasRemoved: boolean): Promise<void> {
  await withoutLoops(db)
  const rows = sql`import_rows r where ${isOf(importId)} and r.outcome in ('ADDED', 'CHANGED' ${hasRemoved ? sql`, 'GONE'` : sql``})`
  await sql`
    with r as materialized (select r.* from ${rows}),
    c as materialized (${currentOf(sql`select c.* from contacts c where c.email in (select email from r)`)}),
    fields as (
      select r.n, count(*) as total, count(*) filter (where field.value = c.values -> field.key) as same
      from r join c on c.id = r.record_id cross join jsonb_each(r.after) field group by r.n)
    update import_rows t set undo = case
        when r.outcome = 'GONE' then case when c.id is null or c.id = r.record_id then 'UNDONE' else 'CHANGED_SINCE' end
        when f.n is null then 'MISSING'
        when f.same = f.total then 'UNDONE'
        when f.same = 0 or r.outcome = 'ADDED' then 'CHANGED_SINCE' else 'PARTLY' end
    from r left join c on c.email = r.email left join fields f on f.n = r.n
    where t.import_id = ${importId} and t.n = r.n`.execute(db)
  await withLoops(db)
}

/** Undoes the rows that `planUndo` found. Lists without contacts stay until they are tidied. */
export async function undoRows(
  db: OrgDb,
  importId: string,
  source: string | null,
  at: string,
): Promise<void> {
  await withoutLoops(db)
  const undone = (outcome: string) =>
    sql`${isOf(importId)} and r.outcome = ${outcome} and r.undo in ('UNDONE', 'PARTLY')`
  // Lists first, because they are compared with the contacts as they are.
  await sql`
    with own as materialized (
      select m.contact_id, ${NAMES} as lists from contact_list_members m join contact_lists l on l.id = m.list_id
      where m.contact_id in (select record_id from import_rows r where ${undone('CHANGED')}) group by m.contact_id)
    delete from contact_list_members m using ${withLists(sql`r.after`, sql`r.before`)} join own on own.contact_id = r.record_id
    where ${undone('CHANGED')} and m.contact_id = r.record_id and m.list_id = l.id and r.after -> 'lists' = own.lists`.execute(
    db,
  )
  await sql`update contacts c set ${perField(
    (field, column) => sql`${column} = case when jsonb_exists(r.after, ${field})
      and r.after ->> ${field} is not distinct from c.${column} then r.before ->> ${field} else c.${column} end`,
  )}, update_timestamp = ${at}
    from import_rows r where ${undone('CHANGED')} and c.id = r.record_id`.execute(db)
  await sql`delete from contact_list_members m using import_rows r
    where ${undone('ADDED')} and m.contact_id = r.record_id`.execute(db)
  await sql`delete from contacts c using import_rows r where ${undone('ADDED')} and c.id = r.record_id`.execute(
    db,
  )
  await sql`delete from contact_sources where import_id = ${importId}`.execute(db)
  await restoreGone(db, importId, source, { at, rows: undone('GONE') })
  await withLoops(db)
}

/** Puts gone contacts back into their lists, and adds those again who were in no other. */
async function restoreGone(
  db: OrgDb,
  importId: string,
  source: string | null,
  { at, rows }: { readonly at: string; readonly rows: RawBuilder<unknown> },
): Promise<void> {
  await sql`insert into contacts (id, email, ${COLUMNS}, create_timestamp, update_timestamp)
    select r.record_id, r.email, ${perField((field) => sql`r.before ->> ${field}`)}, ${at}, ${at}
    from import_rows r where ${rows} on conflict do nothing`.execute(db)
  const pairs = sql`${withLists(sql`r.before`, sql`r.after`)} where ${rows}`
  await sql`insert into contact_list_members (list_id, contact_id)
    select l.id, r.record_id from ${pairs} on conflict do nothing`.execute(db)
  if (source === null) return
  await sql`insert into contact_sources (source, list_id, contact_id, import_id)
    select ${source}, l.id, r.record_id, ${importId} from ${pairs} on conflict do nothing`.execute(db)
}
