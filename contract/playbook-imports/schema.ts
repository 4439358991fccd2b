import * as z from 'zod/mini'

import { text } from '#contract/kit/text.ts'
import { PlaybookActivity } from '#contract/playbooks/schema.ts'

/** Characters of a file that is read for an import. */
export const IMPORT_TEXT_MAX = 500_000
export const IMPORT_TOO_LONG = 'The file is too long. Please split it.'

/** The formats that a playbook can be read from. */
export const ImportFormat = z.enum(['MARKDOWN', 'JSON', 'CSV', 'CACAO'])
export type ImportFormat = z.infer<typeof ImportFormat>

/** A file to be read. Its format follows from its name and content. */
export const ImportFile = z.object({
  fileName: text(),
  /** Any characters: a file that is no text is refused in words of its own. */
  content: z.string().check(z.maxLength(IMPORT_TEXT_MAX, IMPORT_TOO_LONG)),
})
export type ImportFile = z.infer<typeof ImportFile>

/** Something about a file that its reader should know, and where. */
export const ImportNote = z.object({
  /** From 1; null where no line can be named. */
  line: z.nullable(z.int()),
  message: z.string(),
})
export type ImportNote = z.infer<typeof ImportNote>

/** A heading or a task that was read, at any length: what exceeds a limit is for the preview to say. */
export const ImportedActivity = z.extend(
  z.omit(PlaybookActivity, { id: true, attachedFileIds: true, index: true }),
  { line: z.nullable(z.int()) },
)
export type ImportedActivity = z.infer<typeof ImportedActivity>

/** A playbook that was read from a file. */
export const ImportedPlaybook = z.object({
  name: z.string(),
  /** The name of its category, as the file has it. */
  categoryName: z.nullable(z.string()),
  description: z.string(),
  activities: z.array(ImportedActivity),
  /** What was left out, such as pictures, scripts and steps that no person carries out. */
  notes: z.array(ImportNote),
})
export type ImportedPlaybook = z.infer<typeof ImportedPlaybook>

/** What a file holds. Nothing of it is stored. */
export const ImportPreview = z.object({ format: ImportFormat, playbooks: z.array(ImportedPlaybook) })
export type ImportPreview = z.infer<typeof ImportPreview>
