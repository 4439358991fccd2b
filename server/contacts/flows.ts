import { type RawBuilder, sql } from 'kysely'

import { listKeyOf } from '#contract/contacts/rules.ts'
import {
  type Contact,
  CONTACT_THERE_AGAIN,
  type ContactList,
  LIST_THERE_AGAIN,
} from '#contract/contacts/schema.ts'
import { UNDO_OVER } from '#contract/kit/undo.ts'
import { keepDeleted, undoDeletion } from '#server/kit/database/deletions.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Page, WholeList } from '#server/kit/http/answers.ts'
import { demand, notFound } from '#server/kit/core/refusal.ts'
import { Rows, rowsById } from '#server/kit/http/rows.ts'
import type { OrgContext } from '#server/kit/http/serve.ts'

import {
  deleteContact,
  deleteEmpty,
  deleteList,
  joinList,
  listContactIds,
  listContacts,
  listContactsOf,
  listLists,
  lockContacts,
} from './store.ts'

type Reading = Pick<OrgContext, 'db' | 'caller' | 'later'>
type ListQuery = Parameters<typeof listContacts>[1]

/** Contacts, read while the response streams. */
const contactsWhile = ({ later, caller }: Reading, ids: readonly string[], list?: string): Rows<Contact> =>
  rowsById(ids, (some) =>
    later((db) => listContactsOf(db, some, list, caller.config.twilioAllowedCountryCodes)),
  )

/** A page of contacts, or all of them. */
export async function findContacts(
  context: Reading,
  query: ListQuery,
): Promise<Page<Contact> | WholeList<Contact>> {
  const { db, caller } = context
  if (query.range) return listContacts(db, query, caller.config.twilioAllowedCountryCodes)
  const ids = await listContactIds(db, query)
  const list = query.filter?.list ?? query.list
  return { rows: contactsWhile(context, ids, list), total: ids.length }
}

/** All contacts by the names of their lists. */
export async function contactsByList(context: Reading): Promise<{ [list: string]: Rows<Contact> }> {
  const lists = await listLists(context.db)
  const ofList = (name: string) =>
    new Rows(async function* () {
      const ids = await context.later((db) => listContactIds(db, { list: name }))
      yield* contactsWhile(context, ids, name).batches()
    })
  return Object.fromEntries(lists.map(({ name }) => [name, ofList(name)]))
}

type Author = Pick<OrgContext['caller'], 'id'>

/** Kinds of deletions. */
const CONTACT = 'contacts'
const LIST = 'contact lists'

/** True for lists `t` of one contact alone, which are deleted with it. */
const IS_ONLY_IN = (contactId: string) => sql`
  exists (select from contact_list_members m where m.list_id = t.id and m.contact_id = ${contactId})
  and not exists (select from contact_list_members m where m.list_id = t.id and m.contact_id <> ${contactId})`
/** True for contacts `t` of one list alone, which are deleted with it. */
const IS_IN_NO_OTHER = (listId: RawBuilder<unknown>) => sql`
  t.id in (select contact_id from contact_list_members where list_id = ${listId})
  and not exists (select from contact_list_members m where m.contact_id = t.id and m.list_id <> ${listId})`

/** Removes a contact from every list, and lists that became empty. */
export async function removeContact(db: OrgDb, by: Author, id: string): Promise<void> {
  await lockContacts(db)
  const where = sql`t.contact_id = ${id}`
  await keepDeleted(db, { noun: CONTACT, record: id, by }, [
    { table: 'contacts', where: sql`t.id = ${id}` },
    { table: 'contact_lists', where: IS_ONLY_IN(id) },
    { table: 'contact_list_members', where },
    { table: 'contact_sources', where },
  ])
  const gone = await deleteContact(db, id)
  if (!gone) throw notFound('This contact')
  await deleteEmpty(db)
  const changes = { name: { from: gone.name || gone.email, to: null } }
  record(db, { noun: 'contacts', record: id, verb: 'deleted', changes })
}

/** Removes a list, and the contacts that are in no other one. */
export async function removeList(db: OrgDb, by: Author, name: string): Promise<void> {
  await lockContacts(db)
  const listId = sql`(select id from contact_lists where name_key = ${listKeyOf(name)})`
  await keepDeleted(db, { noun: LIST, record: listKeyOf(name), by }, [
    { table: 'contact_lists', where: sql`t.id = ${listId}` },
    { table: 'contacts', where: IS_IN_NO_OTHER(listId) },
    { table: 'contact_list_members', where: sql`t.list_id = ${listId}` },
    { table: 'contact_sources', where: sql`t.list_id = ${listId}` },
  ])
  const list = await deleteList(db, name)
  if (!list) throw notFound('This contact list')
  const contacts = await deleteEmpty(db)
  const changes = { name: { from: list.name, to: null }, contactsDeleted: { from: null, to: contacts } }
  record(db, { noun: 'contacts', record: list.id, verb: 'list deleted', changes })
}

/**
 * Undoes the removal of a contact.
 * @throws Refusal 403, 404, 409
 */
export async function restoreContact(db: OrgDb, by: OrgContext['caller'], id: string): Promise<Contact> {
  await lockContacts(db)
  await undoDeletion(db, { noun: CONTACT, record: id, by }, async ({ restore }) => {
    demand((await restore('contacts')) > 0, 409, CONTACT_THERE_AGAIN)
    await restore('contact_lists')
    demand((await restore('contact_list_members')) > 0, 409, UNDO_OVER)
    await restore('contact_sources')
    const { name, email } = await contactOf(db, by, id)
    record(db, { noun: 'contacts', record: id, verb: 'restored', changes: nameChange(name || email) })
  })
  return contactOf(db, by, id)
}

/**
 * Undoes the removal of a list, with the contacts that were in no other. Those that were added again meanwhile join it.
 * @throws Refusal 403, 404, 409
 */
export async function restoreList(db: OrgDb, by: Author, name: string): Promise<ContactList> {
  await lockContacts(db)
  const key = listKeyOf(name)
  await undoDeletion(db, { noun: LIST, record: key, by }, async ({ rows, restore }) => {
    demand((await restore('contact_lists')) > 0, 409, LIST_THERE_AGAIN)
    const contacts = await restore('contacts')
    await restore('contact_list_members')
    await restore('contact_sources')
    const [list] = await rows<{ id: string; name: string }>('contact_lists')
    const addedAgain = await rows<{ email: string }>('contacts')
    await joinList(
      db,
      list!.id,
      addedAgain.map(({ email }) => email),
    )
    const changes = { ...nameChange(list!.name), contactsRestored: { from: null, to: contacts } }
    record(db, { noun: 'contacts', record: list!.id, verb: 'list restored', changes })
  })
  const [list] = await listLists(db, [key])
  demand(list !== undefined, 409, UNDO_OVER)
  return list
}

const nameChange = (name: string) => ({ name: { from: null, to: name } })

/** @throws Refusal 404 */
async function contactOf(db: OrgDb, { config }: OrgContext['caller'], id: string): Promise<Contact> {
  const [contact] = await listContactsOf(db, [id], undefined, config.twilioAllowedCountryCodes)
  if (!contact) throw notFound('This contact')
  return contact
}
