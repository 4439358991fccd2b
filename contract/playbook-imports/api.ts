import * as z from 'zod/mini'

import { BODY_LIMIT_LISTS, defineApi } from '#contract/kit/endpoint.ts'
import { playbooksAccess as access } from '#contract/playbooks/access.ts'
import { StarterPlaybook } from '#contract/playbooks/schema.ts'

import { ImportFile, ImportPreview } from './schema.ts'

/** Drafts of playbooks from files and from the starter library. They are saved like any new playbook. */
export const playbookImportsApi = defineApi({
  starters: {
    method: 'GET',
    path: '/playbook/starters',
    access: access.write,
    summary: 'The starter library: playbooks to begin one’s own with.',
    reply: z.array(StarterPlaybook),
  },
  preview: {
    method: 'POST',
    path: '/playbook/import/preview',
    access: access.write,
    summary: 'Reads Markdown, JSON, CSV or CACAO and answers the playbooks in it. Nothing is stored.',
    body: ImportFile,
    bodyLimit: BODY_LIMIT_LISTS,
    repeatable: true,
    reply: ImportPreview,
  },
})
