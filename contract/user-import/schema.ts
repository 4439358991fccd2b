import * as z from 'zod/mini'

import { cellsOf, type CsvColumn, csvFieldsOf } from '#contract/kit/csv.ts'
import { id, listOf, LONG_TEXT_MAX, phoneExtension, text } from '#contract/kit/text.ts'
import { externalType } from '#contract/users/rules.ts'
import { User, type UserField, UserType } from '#contract/users/schema.ts'

/** Rows of one import (decisions §3). */
export const IMPORT_ROWS_MAX = 1_000
export const IMPORT_EMPTY = 'This file is empty.'
export const IMPORT_TOO_LONG = `This file exceeds the maximum size of ${IMPORT_ROWS_MAX} rows.`

const WORD_MAX = 100
const unknownType = ({ input }: { readonly input?: unknown }): string =>
  `“${String(input).slice(0, WORD_MAX)}” is neither INTERNAL nor EXTERNAL.`

const cell = z._default(z.nullable(text(LONG_TEXT_MAX)), null)
/** Columns of the file, in the order of its template (administration §3). */
export const IMPORT_COLUMNS = {
  firstName: { heading: 'First Name', cell },
  lastName: { heading: 'Last Name', cell },
  email: { heading: 'Email Address', cell },
  phoneNumber: { heading: 'Phone Number', cell },
  /** Any other text than USER, ADMIN and BUSINESS_USER becomes USER. */
  role: { heading: 'Role', cell },
  type: {
    heading: 'External',
    cell: z._default(z.enum(UserType.options, { error: unknownType }), 'INTERNAL'),
    // The lesser rights, until somebody corrects a word that is neither yes nor no.
    read: (text: string) => externalType(text) ?? 'EXTERNAL',
  },
  location: { heading: 'Location', cell },
  department: { heading: 'Department', cell },
  secondPhoneNumber: { heading: 'Second Phone Number', cell, isOptional: true },
  deputy: { heading: 'Deputy', cell, isOptional: true },
} satisfies { readonly [F in Exclude<UserField, Extension> | 'email']: CsvColumn }
/** Extensions have no column: they stand behind their number. */
type Extension = 'phoneExtension' | 'secondPhoneExtension'
export const IMPORT_FIELDS = csvFieldsOf(IMPORT_COLUMNS)

/** A row as sent. Rows are validated together, and errors name their row. */
export const ImportRow = z.object({
  ...cellsOf(IMPORT_COLUMNS),
  phoneExtension,
  secondPhoneExtension: phoneExtension,
  sendWelcomeSetPasswordEmail: z._default(z.boolean(), true),
})
export type ImportRow = z.infer<typeof ImportRow>
/** The body of an import (administration §7.1). */
export const ImportRows = listOf(ImportRow, IMPORT_ROWS_MAX, {
  required: IMPORT_EMPTY,
  tooMany: IMPORT_TOO_LONG,
})

/** The result of an import. Existing users stay unchanged. */
export const ImportResult = z.object({
  /** Id of the report. */
  importId: id,
  created: z.array(User),
  skipped: z.array(
    z.object({
      email: z.string(),
      /** An import does not reactivate archived users. */
      reason: z.enum(['EXISTS', 'ARCHIVED']),
    }),
  ),
})
export type ImportResult = z.infer<typeof ImportResult>
