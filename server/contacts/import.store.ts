import { type RawBuilder, sql } from 'kysely'

import { columnOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    /** Contacts in lists whom the files of a source have named. */
    contact_sources: { source: string; list_id: string; contact_id: string; import_id: string }
  }
}

/** Fields that an import sets, beside the lists. */
const FIELDS = [
  'name',
  'phone',
  'phoneExtension',
  'phoneCountry',
  'secondPhone',
  'secondPhoneExtension',
  'secondPhoneCountry',
] as const
const COLUMNS = sql.join(FIELDS.map((field) => sql.ref(columnOf(field))))

/** The value of a field in JSON as text. */
const textIn = (values: RawBuilder<unknown>, field: string) =>
  sql<string | null>`${values} ->> ${sql.lit(field)}`
const perField = (part: (field: string, column: RawBuilder<unknown>) => RawBuilder<unknown>) =>
  sql.join(FIELDS.map((field) => part(field, sql.ref(columnOf(field)))))

/** Names of the lists with these ids, in their order. */
const listNames = (ids: RawBuilder<unknown>) => sql`coalesce((
  select jsonb_agg(l.name order by l.sort_key, l.id) from (${ids}) of (id) join contact_lists l on l.id = of.id), '[]')`
const OWN_LISTS = sql`select m.list_id from contact_list_members m where m.contact_id = c.id`
/** The fields of a contact `c`, with its lists, as JSON. */
const CURRENT = sql`jsonb_build_object(${perField((field, column) => sql`${sql.lit(field)}, c.${column}`)},
  'lists', ${listNames(OWN_LISTS)})`
/** Fields of a new contact that its file lacks. */
const BLANK = sql.lit(
  JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, field === 'name' ? '' : null]))),
)

/**
 * Adds rows of a file to a report, with what they are going to do. Lists exist already.
 * @param batch rows as JSON (`ReadRow`); no address comes twice
 */
export async function planRows(db: OrgDb, importId: string, batch: string): Promise<void> {
  await sql`
    insert into import_rows (import_id, n, row_number, email, lists, record_id, outcome, before, after, message)
    select ${importId}, r.n, r."row", r.email, r.lists,
      case when r.message is null then coalesce(c.id, gen_random_uuid()) end,
      case when r.message is not null then 'PROBLEM' when c.id is null then 'ADDED'
        when change.after is null then 'UNCHANGED' else 'CHANGED' end,
      change.before,
      case when r.message is not null then null when c.id is null then ${BLANK}::jsonb || wanted.values
        else change.after end,
      r.message
    from jsonb_to_recordset(${batch}::jsonb)
        as r (n integer, "row" integer, email text, "values" jsonb, lists text[], message text)
      left join contacts c on c.email = r.email and r.message is null
      cross join lateral (select ${CURRENT} as values) own
      cross join lateral (select r."values" || jsonb_build_object('lists',
        ${listNames(sql`select id from contact_lists where name_key = any(r.lists) union ${OWN_LISTS}`)}) as values) wanted
      cross join lateral (
        select jsonb_object_agg(key, own.values -> key) as before, jsonb_object_agg(key, value) as after
        from jsonb_each(wanted.values) where value is distinct from own.values -> key) change`.execute(db)
}

const ROWS_OF = (importId: string) => sql`r.import_id = ${importId}`
/** Pairs of a row `r` and a list `l` that is named in one JSON and not in another one. */
const listsIn = (names: RawBuilder<unknown>, but: RawBuilder<unknown> = sql`'[]'::jsonb`) =>
  sql`jsonb_array_elements_text(${names}) as named (name) join contact_lists l on l.name = named.name
    where not coalesce(${but} @> to_jsonb(named.name), false)`

/** Adds and changes the contacts of planned rows, and notes that they came from the source. */
export async function applyRows(
  db: OrgDb,
  importId: string,
  source: string | null,
  at: string,
): Promise<void> {
  await sql`insert into contacts (id, email, ${COLUMNS}, create_timestamp, update_timestamp)
    select r.record_id, r.email, ${perField((field) => textIn(sql`r.after`, field))}, ${at}, ${at}
    from import_rows r where ${ROWS_OF(importId)} and r.outcome = 'ADDED'`.execute(db)
  await sql`update contacts c set ${perField(
    (field, column) =>
      sql`${column} = case when jsonb_exists(r.after, ${sql.lit(field)}) then ${textIn(sql`r.after`, field)} else c.${column} end`,
  )}, update_timestamp = ${at}
    from import_rows r where ${ROWS_OF(importId)} and r.outcome = 'CHANGED' and c.id = r.record_id`.execute(
    db,
  )
  await sql`insert into contact_list_members (list_id, contact_id)
    select lists.id, r.record_id from import_rows r
      cross join lateral (select l.id from ${listsIn(sql`r.after -> 'lists'`, sql`r.before -> 'lists'`)}) lists
    where ${ROWS_OF(importId)} and r.outcome in ('ADDED', 'CHANGED') and jsonb_exists(r.after, 'lists')`.execute(
    db,
  )
  if (source === null) return
  await sql`insert into contact_sources (source, list_id, contact_id, import_id)
    select ${source}, l.id, r.record_id, ${importId} from import_rows r join contact_lists l on l.name_key = any(r.lists)
    where ${ROWS_OF(importId)} and r.record_id is not null and r.outcome <> 'GONE'
    on conflict do nothing`.execute(db)
}

/** How many contacts came from a source into some lists, and how many of them a file lacks. */
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
  const { rows } = await sql<{ email: string }>`
    with gone as (
      select s.contact_id, array_agg(s.list_id) as lists from contact_sources s
        join contacts c on c.id = s.contact_id join contact_lists l on l.id = s.list_id
      where s.source = ${source} and s.list_id = any(${listIds}::uuid[]) and not exists (
        select from import_rows r where ${ROWS_OF(importId)} and r.email = c.email
          and (r.message is not null or l.name_key = any(r.lists)))
      group by s.contact_id)
    insert into import_rows (import_id, n, email, record_id, outcome, before, after)
    select ${importId}, (select coalesce(max(n), -1) from import_rows r where ${ROWS_OF(importId)})
        + row_number() over (order by c.email), c.email, c.id, 'GONE', ${CURRENT},
      jsonb_build_object('lists', ${listNames(sql`${OWN_LISTS} and m.list_id <> all(gone.lists)`)})
    from gone join contacts c on c.id = gone.contact_id order by c.email
    returning email`.execute(db)
  const { rows: counts } = await sql<{ known: number }>`
    select count(distinct contact_id) as known from contact_sources
    where source = ${source} and list_id = any(${listIds}::uuid[])`.execute(db)
  return { known: counts[0]!.known, emails: rows.map(({ email }) => email) }
}

/** Removes the gone contacts of a report from the lists that it lacks. */
export async function removeGone(db: OrgDb, importId: string): Promise<void> {
  await sql`delete from contact_list_members m using import_rows r
      cross join lateral (select l.id from ${listsIn(sql`r.before -> 'lists'`, sql`r.after -> 'lists'`)}) lists
    where ${ROWS_OF(importId)} and r.outcome = 'GONE' and m.contact_id = r.record_id and m.list_id = lists.id`.execute(
    db,
  )
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
      cross join lateral jsonb_array_elements_text(r.before -> 'lists') as named (name)
    where ${ROWS_OF(importId)} and r.outcome = 'GONE' and not r.after -> 'lists' @> to_jsonb(named.name)`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** Decides for each row of a report whether it can be undone: nobody changed the contact since. */
export async function planUndo(db: OrgDb, importId: string, hasRemoved: boolean): Promise<void> {
  const outcomes = hasRemoved ? ['ADDED', 'CHANGED', 'GONE'] : ['ADDED', 'CHANGED']
  await sql`
    update import_rows r set undo = found.undo
    from (
      select r.n, case
          when r.outcome = 'GONE' then case when c.id is not null then 'UNDONE'
            when exists (select from contacts o where o.email = r.email) then 'CHANGED_SINCE' else 'UNDONE' end
          when c.id is null then 'MISSING'
          when r.outcome = 'ADDED' then case when own.values = r.after then 'UNDONE' else 'CHANGED_SINCE' end
          when own.values @> r.after and r.after -> 'lists' is not distinct from
            case when jsonb_exists(r.after, 'lists') then own.values -> 'lists' end then 'UNDONE'
          when exists (select from jsonb_each(r.after) where value = own.values -> key) then 'PARTLY'
          else 'CHANGED_SINCE' end as undo
      from import_rows r left join contacts c on c.id = r.record_id cross join lateral (select ${CURRENT} as values) own
      where ${ROWS_OF(importId)} and r.outcome = any(${outcomes}::text[])
    ) found
    where ${ROWS_OF(importId)} and r.n = found.n`.execute(db)
}

/** Undoes the rows that `planUndo` found. Lists without contacts stay until they are tidied. */
export async function undoRows(
  db: OrgDb,
  importId: string,
  source: string | null,
  at: string,
): Promise<void> {
  const undone = (outcome: string) =>
    sql`${ROWS_OF(importId)} and r.outcome = ${outcome} and r.undo in ('UNDONE', 'PARTLY')`
  // Lists first: a row gives them back only where they are as the import left them.
  await sql`delete from contact_list_members m using import_rows r join contacts c on c.id = r.record_id
      cross join lateral (select l.id from ${listsIn(sql`r.after -> 'lists'`, sql`r.before -> 'lists'`)}) lists
    where ${undone('CHANGED')} and m.contact_id = c.id and m.list_id = lists.id
      and r.after -> 'lists' = ${listNames(OWN_LISTS)}`.execute(db)
  await sql`update contacts c set ${perField(
    (field, column) => sql`${column} = case when jsonb_exists(r.after, ${sql.lit(field)})
      and ${textIn(sql`r.after`, field)} is not distinct from c.${column} then ${textIn(sql`r.before`, field)} else c.${column} end`,
  )}, update_timestamp = ${at}
    from import_rows r where ${undone('CHANGED')} and c.id = r.record_id`.execute(db)
  await sql`delete from contacts c using import_rows r where ${undone('ADDED')} and c.id = r.record_id`.execute(
    db,
  )
  await sql`insert into contacts (id, email, ${COLUMNS}, create_timestamp, update_timestamp)
    select r.record_id, r.email, ${perField((field) => textIn(sql`r.before`, field))}, ${at}, ${at}
    from import_rows r where ${undone('GONE')} on conflict do nothing`.execute(db)
  const back = sql`import_rows r
      cross join lateral (select l.id from ${listsIn(sql`r.before -> 'lists'`, sql`r.after -> 'lists'`)}) lists
    where ${undone('GONE')}`
  await sql`insert into contact_list_members (list_id, contact_id)
    select lists.id, r.record_id from ${back} on conflict do nothing`.execute(db)
  await sql`delete from contact_sources where import_id = ${importId}`.execute(db)
  if (source === null) return
  await sql`insert into contact_sources (source, list_id, contact_id, import_id)
    select ${source}, lists.id, r.record_id, ${importId} from ${back} on conflict do nothing`.execute(db)
}
