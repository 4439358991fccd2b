import * as z from 'zod/mini'

import { contactsAccess } from '#contract/contacts/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'
import { usersAccess } from '#contract/users/access.ts'

import { ByHeadings, ImportColumns, RememberedColumns } from './schema.ts'

const USERS = '/useradmin/importColumns/:headings'
const CONTACTS = '/contact/importColumns/:headings'
const recall = {
  method: 'GET',
  summary: 'The columns that were assigned to the fields of an import when a file had these headings.',
  params: ByHeadings,
  reply: RememberedColumns,
} as const
const keep = {
  method: 'PUT',
  summary: 'Remembers the columns of an import for the next file with these headings.',
  repeatable: true,
  params: ByHeadings,
  body: z.object({ columns: ImportColumns }),
  reply: RememberedColumns,
} as const

/** Assigned columns that the organisation's imports remember (decision 085). */
export const importColumnsApi = defineApi({
  ofUsers: { ...recall, path: USERS, access: usersAccess },
  keepOfUsers: { ...keep, path: USERS, access: usersAccess },
  ofContacts: { ...recall, path: CONTACTS, access: contactsAccess },
  keepOfContacts: { ...keep, path: CONTACTS, access: contactsAccess },
})
