import * as z from 'zod/mini'

import { BODY_LIMIT_LISTS, defineApi, list } from '#contract/kit/endpoint.ts'
import { listQuery } from '#contract/kit/query.ts'
import { ById, id, nothing, text } from '#contract/kit/text.ts'

import { playbooksAccess as access } from './access.ts'
import {
  ListedPlaybook,
  NewPlaybook,
  OpenedPlaybook,
  PlaybookChanges,
  PlaybookEditor,
  PlaybookVersion,
  PlaybookVersionContent,
} from './schema.ts'

export const PLAYBOOK_SORT_FIELDS = ['name', 'updateTimestamp', 'reviewDate'] as const
const ByVersion = z.object({ id, version: z.coerce.number().check(z.refine(Number.isInteger), z.minimum(1)) })
const stale = { 409: 'Somebody else changed the playbook meanwhile.' }
const limited = { 403: 'The organization has as many playbooks as it can keep.' }
/** Playbooks, the templates of incidents (operations §7 "Playbooks"). */
export const playbooksApi = defineApi({
  list: {
    method: 'GET',
    path: '/playbook/templates',
    access: access.read,
    summary: 'The playbooks of the organisation. A page leaves their headings and tasks out.',
    query: listQuery(
      PLAYBOOK_SORT_FIELDS,
      z.object({
        /** Words in a name, a description, a heading or a task. */
        q: z.optional(text()),
        /** Null for playbooks without a category. */
        categoryId: z.optional(z.nullable(id)),
        /** Only playbooks due for review. */
        reviewDue: z.optional(z.boolean()),
      }),
    ),
    limit: 'by query',
    reply: list(ListedPlaybook),
  },
  get: {
    method: 'GET',
    path: '/playbook/template/:id',
    access: access.read,
    summary: 'One playbook with its headings and tasks in order.',
    params: ById,
    reply: OpenedPlaybook,
  },
  create: {
    method: 'POST',
    path: '/playbook/template',
    access: access.write,
    summary: 'Makes a playbook, also as a clone of another one.',
    body: NewPlaybook,
    bodyLimit: BODY_LIMIT_LISTS,
    reply: OpenedPlaybook,
    status: 201,
    errors: limited,
  },
  update: {
    method: 'PUT',
    path: '/playbook/template/:id',
    access: access.write,
    summary: 'Saves a playbook; what it was stays as a version. Without a difference nothing is saved.',
    params: ById,
    body: PlaybookChanges,
    bodyLimit: BODY_LIMIT_LISTS,
    reply: OpenedPlaybook,
    errors: stale,
  },
  changeCategory: {
    method: 'PATCH',
    path: '/playbook/template/:id/category',
    access: access.write,
    summary: 'Moves a playbook to another category, or to none.',
    params: ById,
    body: z.object({ categoryId: z.nullable(id), version: z.optional(z.int()) }),
    reply: OpenedPlaybook,
    errors: stale,
  },
  remove: {
    method: 'DELETE',
    path: '/playbook/template/:id',
    access: access.write,
    summary: 'Deletes a playbook with its files and versions. Incidents that began with it stay as they are.',
    params: ById,
    reply: nothing,
    status: 204,
  },
  versions: {
    method: 'GET',
    path: '/playbook/template/:id/versions',
    access: access.read,
    summary: 'The saves of a playbook, newest first.',
    params: ById,
    query: listQuery(['version'], z.object({})),
    reply: list(PlaybookVersion),
  },
  version: {
    method: 'GET',
    path: '/playbook/template/:id/versions/:version',
    access: access.read,
    summary: 'A playbook as one save left it.',
    params: ByVersion,
    reply: PlaybookVersionContent,
  },
  restore: {
    method: 'POST',
    path: '/playbook/template/:id/versions/:version/restore',
    access: access.write,
    summary: 'Saves an earlier version again, as the newest one.',
    params: ByVersion,
    body: z.object({ version: z.optional(z.int()) }),
    reply: OpenedPlaybook,
    errors: stale,
  },
  editing: {
    method: 'PUT',
    path: '/playbook/template/:id/editing/:editorId',
    access: access.write,
    summary: 'Says that the playbook is open in an editor, and answers who else edits it.',
    params: z.object({ id, editorId: id }),
    repeatable: true,
    reply: z.object({ editors: z.array(PlaybookEditor) }),
  },
  doneEditing: {
    method: 'DELETE',
    path: '/playbook/template/:id/editing/:editorId',
    access: access.write,
    summary: 'Says that an editor was closed.',
    params: z.object({ id, editorId: id }),
    repeatable: true,
    reply: nothing,
    status: 204,
  },
})
