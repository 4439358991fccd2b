import * as z from 'zod/mini'

import { IMPORT_KINDS } from '#contract/import-columns/schema.ts'
import { PERSON_FIELDS } from '#contract/kit/person-table.ts'
import { json, truth } from '#contract/kit/query.ts'
import { id, timestamp, trimmedText } from '#contract/kit/text.ts'

/** Users in one file. Contacts have a configured limit, `contactsUploadMaxLimit`. */
export const FILE_USERS_MAX = 10_000
export const usersTooMany = `This file exceeds the maximum size of ${FILE_USERS_MAX} rows.`
/** Days for which reports are kept. */
export const REPORT_DAYS = 365
/** More gone people than this share of those that came from the source need `force`. */
export const GONE_MAX_SHARE = 0.2
export const TABLE_TOO_LARGE = 'This file is too large. Please import at most 20 MB at a time.'

/** Outcomes of a row of a file. */
export const ROW_OUTCOMES = ['ADDED', 'CHANGED', 'GONE', 'PROBLEM'] as const
export const RowOutcome = z.enum(ROW_OUTCOMES)
export type RowOutcome = z.infer<typeof RowOutcome>

/** Actions on people who came from the source and are no longer in its file. */
const GONE_USERS = ['KEEP', 'ARCHIVE'] as const
const GONE_CONTACTS = ['KEEP', 'REMOVE'] as const
export const GoneAction = z.enum([...GONE_USERS, 'REMOVE'])
export type GoneAction = z.infer<typeof GoneAction>

/** The result of undoing a row. */
export const UNDO_OUTCOMES = ['UNDONE', 'PARTLY', 'CHANGED_SINCE', 'MISSING', 'SIGNED_IN', 'REFUSED'] as const
export const UndoOutcome = z.enum(UNDO_OUTCOMES)
export type UndoOutcome = z.infer<typeof UndoOutcome>

const heading = z.optional(trimmedText())
const headings = Object.fromEntries(PERSON_FIELDS.map((field) => [field, heading])) as {
  [F in (typeof PERSON_FIELDS)[number]]: typeof heading
}
/** Headings of a file's columns by the fields that they fill. */
export const ColumnHeadings = z.object(headings)
export type ColumnHeadings = z.infer<typeof ColumnHeadings>

const fields = {
  /** `true` answers what the import would do, and changes nothing. */
  dryRun: z._default(truth, false),
  /** `true` refuses the file where a row has a problem; otherwise such rows are left out. */
  strict: z._default(truth, false),
  /** `true` acts on gone people also where they are more than a fifth, or where it is uncertain who is gone. */
  force: z._default(truth, false),
  /** Name of the source, such as a personnel system; by default the caller's name. */
  source: z.optional(trimmedText()),
  /** Headings by field as JSON, such as `{"email": "Work mail"}`. Without it, known names are looked for. */
  columns: z.optional(json(ColumnHeadings, 'columns')),
}
export const UsersFile = z.object({
  ...fields,
  gone: z._default(z.enum(GONE_USERS), 'KEEP'),
  /** `false` mails no link to those who are added. */
  sendWelcomeSetPasswordEmail: z._default(truth, true),
})
export const ContactsFile = z.object({
  ...fields,
  gone: z._default(z.enum(GONE_CONTACTS), 'KEEP'),
  /** Contact list of everybody where the file has no column of lists. Several are separated by semicolons. */
  lists: z.optional(trimmedText()),
})

const counts = {
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  gone: z.int(),
  problems: z.int(),
}
/** The report of an import. */
export const ImportReport = z.object({
  id,
  kind: z.enum(IMPORT_KINDS),
  /** Null for an import from a screen. */
  source: z.nullable(z.string()),
  /** Empty where it is not known. */
  fileName: z.string(),
  createTimestamp: timestamp,
  /** Email of a person or name of a key; null for the system. */
  actor: z.nullable(z.string()),
  ...counts,
  /** The action on gone people. */
  goneAction: GoneAction,
  undoTimestamp: z.nullable(timestamp),
  undoneBy: z.nullable(z.string()),
  /** Rows that could not be undone, or only in part. */
  notUndone: z.int(),
})
export type ImportReport = z.infer<typeof ImportReport>

export const ImportReportRow = z.object({
  /** Position in the report. */
  n: z.int(),
  /** Number of the row in its file; null for people who are not in it. */
  row: z.nullable(z.int()),
  outcome: RowOutcome,
  email: z.string(),
  /** Values before and after, by field. */
  changes: z.array(z.object({ field: z.string(), from: z.nullable(z.string()), to: z.nullable(z.string()) })),
  /** The problem of the row. */
  message: z.nullable(z.string()),
  /** Null while the import is not undone. */
  undo: z.nullable(UndoOutcome),
})
export type ImportReportRow = z.infer<typeof ImportReportRow>

/** The result of an import of a file, or of its dry run. */
export const FileImport = z.object({
  /** Id of the report; null for a dry run, which leaves none. */
  id: z.nullable(id),
  added: counts.added,
  changed: counts.changed,
  unchanged: counts.unchanged,
  gone: counts.gone,
  /** Addresses of those who came from the source before and are not in the file. */
  goneEmails: z.array(z.string()),
  /** True where acting on gone people needs `force`. */
  needsForce: z.boolean(),
  problems: z.array(
    z.object({
      /** Number of the row in its file. */
      row: z.nullable(z.int()),
      email: z.string(),
      message: z.string(),
    }),
  ),
})
export type FileImport = z.infer<typeof FileImport>
