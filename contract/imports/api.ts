import * as z from 'zod/mini'

import { IMPORT_KINDS } from '#contract/import-columns/schema.ts'
import { defineApi, download, heldUpload, list } from '#contract/kit/endpoint.ts'
import { listQuery } from '#contract/kit/query.ts'
import { TABLE_BYTES_MAX } from '#contract/kit/table.ts'
import { ById, text } from '#contract/kit/text.ts'

import { importsAccess as access } from './access.ts'
import {
  ContactsFile,
  FileImport,
  ImportReport,
  ImportReportRow,
  RowOutcome,
  TABLE_TOO_LARGE,
  UsersFile,
} from './schema.ts'

const held = { max: TABLE_BYTES_MAX, tooLarge: TABLE_TOO_LARGE }
const file = {
  method: 'POST',
  limit: 'documents',
  reply: FileImport,
  errors: {
    409: 'An import of this kind is under way, or more than a fifth of the people would be gone and `force` is not set.',
  },
} as const
const sentence =
  'CSV, TSV or XLSX by email address: adds who is new, changes what differs, and says who is gone. Rows with problems are left out and said.'

/** Imports of people from files, again and again, with reports and their undoing. */
export const importsApi = defineApi({
  users: {
    ...file,
    path: '/imports/users',
    access: access.users,
    summary: `Imports users from a file, for API keys that may. ${sentence}`,
    body: heldUpload(UsersFile, held),
  },
  contacts: {
    ...file,
    path: '/imports/contacts',
    access: access.contacts,
    summary: `Imports contacts from a file. ${sentence}`,
    body: heldUpload(ContactsFile, held),
  },
  list: {
    method: 'GET',
    path: '/imports',
    access: access.read,
    summary: 'Reports of imports, newest first. They are kept for a year.',
    query: listQuery(['createTimestamp'], z.object({ kind: z.optional(z.enum(IMPORT_KINDS)) })),
    limit: 'by query',
    reply: list(ImportReport),
  },
  get: {
    method: 'GET',
    path: '/imports/:id',
    access: access.read,
    summary: 'The report of one import.',
    params: ById,
    reply: ImportReport,
  },
  rows: {
    method: 'GET',
    path: '/imports/:id/rows',
    access: access.read,
    summary: 'Rows of a report in the order of the file: added, changed, gone, and those with problems.',
    params: ById,
    query: listQuery(
      ['n'],
      z.object({
        outcome: z.optional(RowOutcome),
        /** True for the rows that could not be undone, or only in part. */
        isKept: z.optional(z.boolean()),
        /** Part of an email address. */
        q: z.optional(text()),
      }),
    ),
    limit: 'by query',
    reply: list(ImportReportRow),
  },
  export: {
    method: 'GET',
    path: '/imports/:id/export',
    access: access.read,
    summary: 'All rows of a report as a CSV file.',
    params: ById,
    limit: 'documents',
    reply: download('text/csv; charset=utf-8'),
  },
  undo: {
    method: 'POST',
    path: '/imports/:id/undo',
    access: access.undo,
    summary:
      'Undoes an import, once: gives back what nobody changed since. The rows say what could not be undone and why.',
    params: ById,
    reply: ImportReport,
    errors: { 409: 'The import was undone already, or another one is under way.' },
  },
})
