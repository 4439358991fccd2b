import * as z from 'zod/mini'

import { type Columns, PERSON_FIELDS, type PersonField } from '#contract/kit/person-table.ts'
import { text } from '#contract/kit/text.ts'

/** Columns of an Excel sheet. */
const COLUMNS_MAX = 16_384
const column = z.optional(z.int().check(z.minimum(0), z.maximum(COLUMNS_MAX)))
const shape = Object.fromEntries(PERSON_FIELDS.map((field) => [field, column])) as {
  [F in PersonField]: typeof column
}
/** Columns of a file by the fields that they fill. */
export const ImportColumns = z.object(shape) satisfies z.ZodMiniType<Columns>

const KEY_MAX = 64
/** Key of the headings of a file, see `headingsKey`. */
export const ByHeadings = z.object({ headings: text(KEY_MAX) })
export const RememberedColumns = z.object({
  /** Null for headings that nobody has assigned yet. */
  columns: z.nullable(ImportColumns),
})

export const IMPORT_KINDS = ['USERS', 'CONTACTS'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]
