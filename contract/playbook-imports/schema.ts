import * as z from 'zod/mini'

import { text } from '#contract/kit/text.ts'
import { PlaybookActivity } from '#contract/playbooks/schema.ts'

/** Characters of a file to import. */
export const IMPORT_TEXT_MAX = 500_000
export const IMPORT_TOO_LONG = 'The file is too long. Please split it.'

/** Formats of importable files. */
export const ImportFormat = z.enum(['MARKDOWN', 'JSON', 'CSV', 'CACAO'])
export type ImportFormat = z.infer<typeof ImportFormat>

/** A file to import. Its format is detected from name and content. */
export const ImportFile = z.object({
  fileName: text(),
  /** Any characters, because binary files get their own message. */
  content: z.string().check(z.maxLength(IMPORT_TEXT_MAX, IMPORT_TOO_LONG)),
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

/** The content of a file, which is not stored. */
export const ImportPreview = z.object({ format: ImportFormat, playbooks: z.array(ImportedPlaybook) })
export type ImportPreview = z.infer<typeof ImportPreview>
