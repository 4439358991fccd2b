import * as z from 'zod/mini'

import { text } from '#contract/kit/text.ts'
import { PlaybookActivity } from '#contract/playbooks/schema.ts'

/** Characters of a file to import. */
export const IMPORT_TEXT_MAX = 500_000
export const IMPORT_TOO_LONG = 'The file is too long. Please split it.'

/** Formats of importable files. */
export const ImportFormat = z.enum(['MARKDOWN', 'JSON', 'CSV', 'CACAO'])
export type ImportFormat = z.infer<typeof ImportFormat>

/** Contents that a column of a table can have. */
export const IMPORT_COLUMNS = [
  'title',
  'description',
  'priority',
  'role',
  'minutes',
  'heading',
  'labels',
  'type',
  'playbook',
  'category',
] as const
export const ImportColumn = z.enum(IMPORT_COLUMNS)
export type ImportColumn = z.infer<typeof ImportColumn>
/** Columns of a table, in the order of the file; null for one that is left out. */
const Columns = z.array(z.nullable(ImportColumn)).check(z.maxLength(1_000))

/** A file to import. Its format is detected from name and content. */
export const ImportFile = z.object({
  fileName: text(),
  /** Any characters, because binary files get their own message. */
  content: z.string().check(z.maxLength(IMPORT_TEXT_MAX, IMPORT_TOO_LONG)),
  /** The columns of a table, where its headings do not say them. */
  columns: z.optional(Columns),
})
export type ImportFile = z.infer<typeof ImportFile>

/** A remark about a place in a file. */
export const ImportNote = z.object({
  /** From 1; null for the whole file. */
  line: z.nullable(z.int()),
  message: z.string(),
})
export type ImportNote = z.infer<typeof ImportNote>

/** An imported heading or task of any length. The preview reports exceeded limits. */
export const ImportedActivity = z.extend(
  z.omit(PlaybookActivity, { id: true, attachedFileIds: true, index: true }),
  { line: z.nullable(z.int()) },
)
export type ImportedActivity = z.infer<typeof ImportedActivity>

/** A playbook read from a file. */
export const ImportedPlaybook = z.object({
  name: z.string(),
  /** Name of the category in the file. */
  categoryName: z.nullable(z.string()),
  description: z.string(),
  activities: z.array(ImportedActivity),
  /** Omissions, such as pictures, scripts and steps that no person carries out. */
  notes: z.array(ImportNote),
})
export type ImportedPlaybook = z.infer<typeof ImportedPlaybook>

/** A table whose headings name no title. Its columns are to be assigned, and sent with the file again. */
export const ImportTable = z.object({
  headings: z.array(z.string()),
  /** The first values of each column. */
  samples: z.array(z.array(z.string())),
  /** The columns that are known by their headings. */
  columns: Columns,
  rowsCount: z.int(),
})
export type ImportTable = z.infer<typeof ImportTable>

/** The content of a file, which is not stored. */
export const ImportPreview = z.object({
  format: ImportFormat,
  /** Empty while the columns of a table are unknown. */
  playbooks: z.array(ImportedPlaybook),
  table: z.nullable(ImportTable),
})
export type ImportPreview = z.infer<typeof ImportPreview>
