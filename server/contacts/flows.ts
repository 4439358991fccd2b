import type { Contact } from '#contract/contacts/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Page, WholeList } from '#server/kit/http/answers.ts'
import { notFound } from '#server/kit/core/refusal.ts'
import { Rows, rowsById } from '#server/kit/http/rows.ts'
import type { OrgContext } from '#server/kit/http/serve.ts'

import {
  deleteContact,
  deleteEmpty,
  deleteList,
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

/** Removes a contact from every list, and lists that became empty. */
export async function removeContact(db: OrgDb, id: string): Promise<void> {
  await lockContacts(db)
  const gone = await deleteContact(db, id)
  if (!gone) throw notFound('This contact')
  await deleteEmpty(db)
  const changes = { name: { from: gone.name || gone.email, to: null } }
  record(db, { noun: 'contacts', record: id, verb: 'deleted', changes })
}

/** Removes a list, and the contacts that are in no other one. */
export async function removeList(db: OrgDb, name: string): Promise<void> {
  await lockContacts(db)
  const list = await deleteList(db, name)
  if (!list) throw notFound('This contact list')
  const contacts = await deleteEmpty(db)
  const changes = { name: { from: list.name, to: null }, contactsDeleted: { from: null, to: contacts } }
  record(db, { noun: 'contacts', record: list.id, verb: 'list deleted', changes })
}
