import { type GeneratedAlways, type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'

import type { CONTACT_SORT_FIELDS, contactsApi } from '#contract/contacts/api.ts'
import { listKeyOf } from '#contract/contacts/rules.ts'
import { Contact, type ContactList } from '#contract/contacts/schema.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { type ColumnsOf, fieldsOf, selectionText } from '#server/kit/database/columns.ts'
import { lockFor, type OrgDb } from '#server/kit/database/db.ts'
import { keptCount } from '#server/kit/database/row-counts.ts'
import { asIfCommon, INDEXED_MAX, patternOf, peopleWords, searchRows } from '#server/kit/database/search.ts'
import { cutOf, type Direction, orderOf, type Step } from '#server/kit/http/lists.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    contacts: ColumnsOf<ContactRow> & {
      sort_key: GeneratedAlways<string>
      search_key: GeneratedAlways<string>
    }
    contact_lists: { id: string; name: string; name_key: string; sort_key: GeneratedAlways<string> }
    contact_list_members: { list_id: string; contact_id: string }
  }
}

/** Fields of a contact that are computed from its lists and the allowed countries. */
const COMPUTED = { valid: true, list: true, lists: true } as const
const Stored = z.omit(Contact, COMPUTED)
interface ContactRow extends z.infer<typeof Stored> {
  createTimestamp: string
  updateTimestamp: string
}
const STORED = sql.raw(selectionText(fieldsOf(Stored), 'c.'))

/** Serialises changes of list membership, so that no list is left empty. */
export const lockContacts = (db: OrgDb): Promise<void> => lockFor(db, 'contacts')

/** True when only the second number of a contact can be reached. */
const isSecond = (countries: readonly string[]) =>
  sql<boolean>`coalesce(c.phone_country <> all(${countries}::text[]) and c.second_phone_country = any(${countries}::text[]), false)`
/** A column of the number that is dialled. */
const dialled = (column: 'phone' | 'phone_country', countries: readonly string[]) =>
  sql<
    string | null
  >`case when ${isSecond(countries)} then ${sql.ref(`c.second_${column}`)} else ${sql.ref(`c.${column}`)} end`
const isDialled = (countries: readonly string[]) =>
  sql<boolean | null>`${isSecond(countries)} or ${validIn(countries)}`
/** True when a phone's country is allowed now. */
const validIn = (countries: readonly string[]): RawBuilder<boolean | null> =>
  sql`case when c.phone is not null then c.phone_country = any(${countries}::text[]) end`
const NAMES = sql`select m.contact_id, array_agg(l.name order by l.sort_key, l.id) as lists
  from contact_list_members m join contact_lists l on l.id = m.list_id`
const THEIR_LISTS = sql`lateral (${NAMES} where m.contact_id = c.id group by m.contact_id)`

/** True when a contact `c` matches every word. */
const holdsWords = (words: readonly string[]): RawBuilder<boolean> =>
  sql`${sql.join([sql`true`, ...words.map((word) => sql`c.search_key like '%' || ${patternOf(word)} || '%'`)], sql` and `)}`

/** Contacts without a phone come last in both directions. */
const stepsOf = (
  [field, direction]: readonly [(typeof CONTACT_SORT_FIELDS)[number], Direction],
  of: string,
): Step[] => [
  ...(field === 'name' ? [[sql.raw(`${of}sort_key`), direction] as const] : []),
  ...(field === 'phone'
    ? ([
        [sql.raw(`(${of}phone is null)`), 'ASC'],
        [sql.raw(`${of}phone`), direction],
      ] as const)
    : []),
  [sql.raw(`${of}email`), direction],
]

type ListQuery = z.output<(typeof contactsApi)['asList']['query']>
interface Listing {
  words: string[]
  list: string | undefined
  sort: NonNullable<ListQuery['sort']>
  range: ListQuery['range']
}
/**
 * The condition on contacts `c`, the total where a page is requested, and the part of the order to read for that page.
 */
async function listingOf(db: OrgDb, { words, list, sort, range }: Listing) {
  const membership = list === undefined ? null : membershipOf(list)
  const search = await searched(db, words, membership, { order: orderOf(stepsOf(sort, '')), range })
  const found = search ? sql`c.id = any(${search.ids}::uuid[])` : sql`true`
  const where = membership ? sql`${found} and ${membership.ofContact}` : found
  if (!range || search?.page) return { where, cut: null, counted: search?.page ?? null }
  const { rows } = await sql<{ total: number }>`
    select ${search ? sql`(select count(*) from contacts c where ${where})` : keptTotal(membership)} as total`.execute(
    db,
  )
  const { total } = rows[0]!
  // Long lists are read in the order of contacts until the page is full.
  const isLongList = membership !== null && !search && total > INDEXED_MAX
  return {
    where: isLongList ? asIfCommon(membership.ofContact) : where,
    cut: cutOf(range, total),
    counted: { total },
  }
}

/** The contacts that match a search, within a list where one is given; null without words. */
const searched = async (
  db: OrgDb,
  words: string[],
  membership: Membership | null,
  page: Pick<Parameters<typeof searchRows>[1], 'order' | 'range'>,
) =>
  words.length === 0
    ? null
    : searchRows(db, { table: 'contacts', words, where: membership?.ofRow ?? sql`true`, ...page })

const keptTotal = (membership: Membership | null) =>
  membership ? keptCount('contact_list_members', [membership.listId]) : keptCount('contacts')

type Membership = ReturnType<typeof membershipOf>
/** Membership in the list of this name: of the searched row, and of a contact `c`. */
function membershipOf(list: string) {
  const listId = sql`(select id from contact_lists where name_key = ${listKeyOf(list)})`
  return {
    listId,
    ofRow: sql<boolean>`id in (select contact_id from contact_list_members where list_id = ${listId})`,
    ofContact: sql<boolean>`exists (select from contact_list_members m where m.list_id = ${listId} and m.contact_id = c.id)`,
  }
}

/** Contacts `c` as responses show them: with the named list, otherwise with the first of their own. */
const contactRows = (
  contacts: RawBuilder<unknown>,
  list: string | undefined,
  countries: readonly string[],
) => {
  const within =
    list === undefined
      ? sql`null::text`
      : sql`(select name from contact_lists where name_key = ${listKeyOf(list)})`
  return sql<Contact>`
    select ${STORED}, ${validIn(countries)} as valid, of.lists, coalesce(${within}, of.lists[1]) as list
    from (${contacts}) c join ${THEIR_LISTS} of on of.contact_id = c.id`
}

/** A page of contacts in `list` that match every word of `q`, by name unless a sort is given. */
export async function listContacts(
  db: OrgDb,
  asked: ListQuery,
  countries: readonly string[],
): Promise<Page<Contact>> {
  const { sort = ['name', 'ASC'] as const, range } = asked
  const { q, list } = { ...asked, ...asked.filter }
  const steps = stepsOf(sort, 'c.')
  const { where, cut, counted } = await listingOf(db, { words: peopleWords(q), list, sort, range })
  const page = cut
    ? sql`order by ${orderOf(steps, cut.isFromEnd)} limit ${cut.limit} offset ${cut.offset}`
    : sql``
  const { rows } = await sql<Contact>`
    ${contactRows(sql`select c.* from contacts c where ${where} ${page}`, list, countries)}
    order by ${orderOf(steps)}`.execute(db)
  return { rows, ...(counted ?? { total: rows.length }) }
}

/** The ids of all contacts that `listContacts` pages through, in their order. */
export async function listContactIds(db: OrgDb, asked: ListQuery): Promise<string[]> {
  const { sort = ['name', 'ASC'] as const } = asked
  const { q, list } = { ...asked, ...asked.filter }
  const { where } = await listingOf(db, { words: peopleWords(q), list, sort, range: undefined })
  const { rows } = await sql<{ id: string }>`
    select c.id from contacts c where ${where} order by ${orderOf(stepsOf(sort, 'c.'))}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Contacts by id, each with the named list where one is given. */
export async function listContactsOf(
  db: OrgDb,
  ids: readonly string[],
  list: string | undefined,
  countries: readonly string[],
): Promise<Contact[]> {
  const { rows } = await sql<Contact>`
    ${contactRows(sql`select c.* from contacts c where c.id = any(${ids}::uuid[])`, list, countries)}
    order by array_position(${ids}::uuid[], c.id)`.execute(db)
  return rows
}

/** Lists with their sizes, by name; only those of `keys` where given. */
export async function listLists(db: OrgDb, keys?: readonly string[]): Promise<ContactList[]> {
  const { rows } = await sql<ContactList>`
    select l.name, k.amount as count from contact_lists l
      join (select facet[1]::uuid as id, sum(amount)::bigint as amount from row_counts
        where counted = 'contact_list_members' group by facet) k on k.id = l.id and k.amount > 0
    ${keys === undefined ? sql`` : sql`where l.name_key = any(${keys}::text[])`}
    order by l.sort_key, l.id`.execute(db)
  return rows
}

/** Names of lists by their keys. */
export async function listNames(db: OrgDb, keys: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('contact_lists')
    .select('name')
    .where('name_key', '=', sql<string>`any(${keys}::text[])`)
    .orderBy('sort_key')
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name)
}

/** Finds or creates the lists of these names. Returns their ids by name key. */
export async function insertLists(db: OrgDb, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const keys = names.map(listKeyOf)
  await sql`insert into contact_lists (name, name_key)
    select name, key from unnest(${names}::text[], ${keys}::text[]) as given (name, key)
    on conflict (organisation_id, name_key) do nothing`.execute(db)
  const rows = await db
    .selectFrom('contact_lists')
    .select(['id', 'name_key'])
    .where('name_key', '=', sql<string>`any(${keys}::text[])`)
    .execute()
  return new Map(rows.map(({ id, name_key }) => [name_key, id]))
}

export const deleteContact = (db: OrgDb, id: string): Promise<{ name: string; email: string } | undefined> =>
  db.deleteFrom('contacts').where('id', '=', id).returning(['name', 'email']).executeTakeFirst()

/** Deletes a list by its name, regardless of case. */
export const deleteList = (db: OrgDb, name: string): Promise<{ id: string; name: string } | undefined> =>
  db
    .deleteFrom('contact_lists')
    .where('name_key', '=', listKeyOf(name))
    .returning(['id', 'name'])
    .executeTakeFirst()

/** Adds the contacts at these addresses to a list. */
export async function joinList(db: OrgDb, listId: string, emails: readonly string[]): Promise<void> {
  await sql`insert into contact_list_members (list_id, contact_id)
    select ${listId}, id from contacts where email = any(${emails}::text[]) on conflict do nothing`.execute(
    db,
  )
}

/** Deletes empty lists and contacts without a list. Returns the number of deleted contacts. */
export async function deleteEmpty(db: OrgDb): Promise<number> {
  await sql`delete from contact_lists l
    where not exists (select from contact_list_members m where m.list_id = l.id)`.execute(db)
  const gone = await sql`delete from contacts c
    where not exists (select from contact_list_members m where m.contact_id = c.id)`.execute(db)
  return Number(gone.numAffectedRows ?? 0)
}

/** A person chosen as recipient. */
export interface ChosenContact {
  readonly name: string
  readonly email: string
  readonly phone: string | null
  /** True when the phone can be reached; null when it was not checked, and without one. */
  readonly valid: boolean | null
  /** The phone's country; empty for an impossible number. */
  readonly phoneCountry: string | null
  /** The chosen lists that contain the person. */
  readonly lists: string[]
  /** Number of people on all pages; only in a page. */
  readonly total?: number
}

/** Chosen lists and addresses, with the page to return. */
export interface Choice {
  readonly listKeys: readonly string[]
  readonly emails: readonly string[]
  readonly q?: string | undefined
  readonly range?: readonly [first: number, last: number] | undefined
}

/** People in lists and at addresses, de-duplicated and by name; a page of them where there is a range. */
export async function listChosen(
  db: OrgDb,
  { listKeys, emails, q, range }: Choice,
  countries: readonly string[],
): Promise<ChosenContact[]> {
  const { rows } = await sql<ChosenContact>`
    select c.name, c.email, ${dialled('phone', countries)} as phone, ${isDialled(countries)} as valid,
      ${dialled('phone_country', countries)} as "phoneCountry",
      coalesce(of.lists, '{}') as lists ${range ? sql`, count(*) over () as total` : sql``}
    from contacts c left join (
      select m.contact_id, array_agg(l.name order by l.sort_key, l.id) as lists
      from contact_list_members m join contact_lists l on l.id = m.list_id
      where l.name_key = any(${listKeys}::text[]) group by m.contact_id
    ) of on of.contact_id = c.id
    where (of.contact_id is not null or c.email = any(${emails}::text[])) and ${holdsWords(peopleWords(q))}
    order by c.sort_key, c.email
    ${range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``}`.execute(db)
  return rows
}
