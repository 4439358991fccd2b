import { contactsTooMany, readContacts } from '#contract/contacts/rules.ts'
import type { Contact, ContactImport, ContactRow } from '#contract/contacts/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { phoneReader } from '#server/kit/messages/phones.ts'
import type { Page, WholeList } from '#server/kit/http/answers.ts'
import { demand, notFound, Refusal } from '#server/kit/core/refusal.ts'
import { Rows, rowsById } from '#server/kit/http/rows.ts'
import type { Caller, OrgContext } from '#server/kit/http/serve.ts'

import {
  deleteContact,
  deleteEmpty,
  deleteList,
  insertLists,
  insertMembers,
  listKeyOf,
  listContactIds,
  listContacts,
  listContactsOf,
  listLists,
  lockContacts,
  upsertContacts,
} from './store.ts'

/**
 * Adds contacts to their lists and updates existing contacts.
 * @throws Refusal 400 with every invalid row, at its fields; nothing is imported then
 */
export async function importContacts(
  db: OrgDb,
  { config }: Pick<Caller, 'config'>,
  rows: readonly ContactRow[],
): Promise<ContactImport> {
  const limit = config.contactsUploadMaxLimit
  demand(rows.length <= limit, 400, contactsTooMany(limit))
  const { contacts, problems, warnings } = readContacts(rows, { phones: phoneReader(config) })
  const [first] = problems
  if (first) {
    const fields = problems.map(({ index, field, message }) => [`${index}.${field}`, message] as const)
    throw new Refusal(400, first.message, { fields: Object.fromEntries(fields) })
  }
  await lockContacts(db)
  const stored = await upsertContacts(db, contacts, clock.timestamp())
  const ids = new Map(stored.map(({ email, id }) => [email, id]))
  // The first of two spellings of a list's name wins.
  const names = new Map(
    contacts
      .flatMap(({ lists }) => lists)
      .toReversed()
      .map((name) => [listKeyOf(name), name]),
  )
  const lists = await insertLists(db, [...names.values()])
  await insertMembers(
    db,
    contacts.flatMap(({ email, lists: its }) =>
      its.map((name) => [lists.get(listKeyOf(name))!, ids.get(email)!] as const),
    ),
  )
  const created = stored.filter((one) => one.created).length
  const result = {
    created,
    updated: stored.length - created,
    lists: await listLists(db, [...names.keys()]),
    warnings,
  }
  record(db, {
    noun: 'contacts',
    record: crypto.randomUUID(),
    verb: 'imported',
    changes: {
      created: { from: null, to: result.created },
      updated: { from: null, to: result.updated },
      lists: { from: null, to: result.lists.map(({ name }) => name) },
    },
  })
  return result
}

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
