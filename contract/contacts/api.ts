import * as z from 'zod/mini'

import { BODY_LIMIT_LISTS, defineApi, list } from '#contract/kit/endpoint.ts'
import { FromFile, listQuery } from '#contract/kit/query.ts'
import { ById, nothing, text } from '#contract/kit/text.ts'
import { UNDO_ERRORS } from '#contract/kit/undo.ts'

import { contactsAccess as access } from './access.ts'
import { Contact, ContactImport, ContactList, ContactRows, ContactsByList } from './schema.ts'

const filter = {
  /** Every word has to occur in the name, address or phone number. */
  q: z.optional(text()),
  /** Name of a list. */
  list: z.optional(text()),
}
export const CONTACT_SORT_FIELDS = ['name', 'email', 'phone'] as const

/** People without an account who can be notified (administration §7.4). */
export const contactsApi = defineApi({
  add: {
    method: 'POST',
    path: '/contact',
    access,
    summary: 'Adds contacts to their lists, all or none. Who is there already is brought up to date.',
    query: FromFile,
    body: ContactRows,
    bodyLimit: BODY_LIMIT_LISTS,
    reply: ContactImport,
    status: 201,
  },
  lists: {
    method: 'GET',
    path: '/contact/lists',
    access,
    summary: 'The contact lists with how many are in each, by name.',
    reply: z.array(ContactList),
  },
  asMap: {
    method: 'GET',
    path: '/contact/asMap',
    access,
    summary: 'All contacts by the names of their lists. Who is in several lists is below each.',
    limit: 'whole lists',
    reply: ContactsByList,
  },
  asList: {
    method: 'GET',
    path: '/contact/asList',
    access,
    summary: 'Contacts, each once, by name: all of them, or a page. The filter can be given by itself, too.',
    query: z.extend(listQuery(CONTACT_SORT_FIELDS, z.object(filter)), filter),
    limit: 'by query',
    reply: list(Contact),
  },
  remove: {
    method: 'DELETE',
    path: '/contact/:id',
    access,
    summary: 'Removes a contact from every list. What was sent before stays in the history.',
    params: ById,
    reply: nothing,
    status: 204,
  },
  removeList: {
    method: 'DELETE',
    path: '/contact/lists/:name',
    access,
    summary: 'Removes a list, and the contacts that are in no other.',
    params: z.object({ name: text() }),
    reply: nothing,
    status: 204,
  },
  restore: {
    method: 'POST',
    path: '/contact/:id/restore',
    access,
    summary: 'Undoes the removal of a contact by the caller within ten minutes.',
    params: ById,
    reply: Contact,
    errors: UNDO_ERRORS,
  },
  restoreList: {
    method: 'POST',
    path: '/contact/lists/:name/restore',
    access,
    summary: 'Undoes the removal of a list by the caller within ten minutes, with its contacts.',
    params: z.object({ name: text() }),
    reply: ContactList,
    errors: UNDO_ERRORS,
  },
})
