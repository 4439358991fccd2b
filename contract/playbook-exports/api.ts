import * as z from 'zod/mini'

import { BODY_LIMIT_LISTS, defineApi, download } from '#contract/kit/endpoint.ts'
import { ById, id, listOf } from '#contract/kit/text.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import { ARCHIVED_AT_ONCE, PlaybookDocumentType, PlaybookSourceType } from '#contract/playbooks/schema.ts'

import { EXPORT_PLAYBOOK_REQUIRED, NewPlaybookExport, PlaybookExport } from './schema.ts'

const { read } = playbooksAccess
const access = { ...read, realm: 'person' } as const

/** Ids in a query string, separated by commas. */
const ids = z.pipe(
  z.pipe(
    z.string().check(z.maxLength(40 * ARCHIVED_AT_ONCE)),
    z.transform((value: string) => [...new Set(value.split(',').map((one) => one.trim()))]),
  ),
  listOf(id, ARCHIVED_AT_ONCE, {
    required: EXPORT_PLAYBOOK_REQUIRED,
    tooMany: `An archive holds at most ${ARCHIVED_AT_ONCE} playbooks; have more exported in the background.`,
  }),
)
export const DOCX_CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/**
 * Exports of playbooks (operations §2 "Export Playbooks", §7). Background exports are visible only to the
 * person who requested them.
 */
export const playbookExportsApi = defineApi({
  document: {
    method: 'GET',
    path: '/playbook/template/file/:id',
    access: read,
    summary: 'A playbook as a document.',
    params: ById,
    query: z.object({ type: PlaybookDocumentType }),
    limit: 'documents',
    reply: download('application/pdf', DOCX_CONTENT_TYPE),
  },
  source: {
    method: 'GET',
    path: '/playbook/template/source/:id',
    access: read,
    summary: 'A playbook as Markdown or JSON, which can be imported again without loss.',
    params: ById,
    query: z.object({ type: PlaybookSourceType }),
    limit: 'documents',
    reply: download('text/markdown', 'application/json'),
  },
  archive: {
    method: 'GET',
    path: '/playbook/templates/archived',
    access: read,
    summary: `Up to ${ARCHIVED_AT_ONCE} playbooks as documents in a ZIP file; a single one as the document itself.`,
    query: z.object({ ids, type: PlaybookDocumentType }),
    limit: 'documents',
    reply: download('application/zip', 'application/pdf', DOCX_CONTENT_TYPE),
  },
  request: {
    method: 'POST',
    path: '/playbook/exports',
    access,
    summary: 'Has playbooks made into a ZIP file, in the background.',
    body: NewPlaybookExport,
    bodyLimit: BODY_LIMIT_LISTS,
    limit: 'documents',
    reply: PlaybookExport,
    status: 201,
  },
  progress: {
    method: 'GET',
    path: '/playbook/exports/:id',
    access,
    summary: 'How far an export is.',
    params: ById,
    reply: PlaybookExport,
  },
  file: {
    method: 'GET',
    path: '/playbook/exports/:id/file',
    access,
    summary: 'An export, once it is ready and for a day.',
    params: ById,
    reply: download('application/zip'),
    errors: { 409: 'It is not ready.' },
  },
})
