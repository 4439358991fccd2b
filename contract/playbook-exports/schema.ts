import * as z from 'zod/mini'

import { archiveFields } from '#contract/kit/archives.ts'

import { id, listOf } from '#contract/kit/text.ts'
import { PLAYBOOK_DOCUMENT_TYPES, PLAYBOOK_SOURCE_TYPES } from '#contract/playbooks/schema.ts'

export const EXPORT_PLAYBOOK_REQUIRED = 'Please select at least one playbook.'
/** Playbooks of one export. */
export const EXPORTED_AT_ONCE = 10_000

export const PlaybookExportType = z.enum([...PLAYBOOK_DOCUMENT_TYPES, ...PLAYBOOK_SOURCE_TYPES])
export type PlaybookExportType = z.infer<typeof PlaybookExportType>

/** The body of a request to export many playbooks. */
export const NewPlaybookExport = z.object({
  ids: listOf(id, EXPORTED_AT_ONCE, { required: EXPORT_PLAYBOOK_REQUIRED }),
  type: PlaybookExportType,
})
export type NewPlaybookExport = z.infer<typeof NewPlaybookExport>

/** An export of playbooks as a ZIP file. */
export const PlaybookExport = z.object(archiveFields)
export type PlaybookExport = z.infer<typeof PlaybookExport>
