import * as z from 'zod/mini'

import { BODY_LIMIT_LISTS, defineApi, list } from '#contract/kit/endpoint.ts'
import { listQuery } from '#contract/kit/query.ts'
import { ById, id, nothing, text } from '#contract/kit/text.ts'

import { playbooksAccess as access } from './access.ts'
import {
  BinnedPlaybook,
  ListedPlaybook,
  NewPlaybook,
  OpenedPlaybook,
  PlaybookChanges,
  PlaybookDraft,
  PlaybookEditor,
  PlaybookVersion,
  PlaybookVersionContent,
  ReturnedDraft,
} from './schema.ts'

export const PLAYBOOK_SORT_FIELDS = ['name', 'updateTimestamp', 'reviewDate', 'lastUsedTimestamp'] as const
/**
 * Selections of a list: `PUBLISHED` ones (the default); `COUNTED` towards the limit; those with a `DRAFT`, of a `NEW`
 * playbook, or `WAITING` for approval; `ARCHIVED` ones. Drafts are only for people who write playbooks.
 */
export const PLAYBOOK_SELECTIONS = ['PUBLISHED', 'COUNTED', 'DRAFT', 'NEW', 'WAITING', 'ARCHIVED'] as const
export const PlaybookSelection = z.enum(PLAYBOOK_SELECTIONS)
export type PlaybookSelection = z.infer<typeof PlaybookSelection>
const ByVersion = z.object({ id, version: z.coerce.number().check(z.refine(Number.isInteger), z.minimum(1)) })
const stale = { 409: 'Somebody else changed the playbook meanwhile.' }
const limited = { 403: 'The organization has as many playbooks as it can keep.' }
const draftStale = { 409: 'Somebody else saved or published the draft meanwhile.' }
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
        /** Only playbooks that an incident or exercise used, or that none ever used. */
        used: z.optional(z.boolean()),
        selection: z.optional(PlaybookSelection),
        /** Only playbooks that say when they are proposed, or that do not. */
        hasProposal: z.optional(z.boolean()),
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
    summary:
      'Makes a playbook, also as a clone of another one. Where the organization asks for approvals, it is a draft that waits for one.',
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
    summary:
      'Saves a playbook; what it was stays as a version. Without a difference nothing is saved. Where the organization asks for approvals, the save is a draft that waits for one.',
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
    summary:
      'Moves a playbook with its files and versions to the bin for 30 days. Incidents that began with it stay as they are.',
    params: ById,
    query: z.object({
      /** Deletes only this version, such as the one that an import created. */
      version: z.optional(z.coerce.number().check(z.refine(Number.isInteger), z.minimum(1))),
    }),
    reply: nothing,
    status: 204,
    errors: stale,
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
  draft: {
    method: 'GET',
    path: '/playbook/template/:id/draft',
    access: access.write,
    summary: 'The draft of a playbook.',
    params: ById,
    reply: PlaybookDraft,
  },
  discardDraft: {
    method: 'DELETE',
    path: '/playbook/template/:id/draft',
    access: access.write,
    summary: 'Discards the draft of a published playbook.',
    params: ById,
    query: z.object({ revision: id }),
    reply: nothing,
    status: 204,
    errors: draftStale,
  },
  publish: {
    method: 'POST',
    path: '/playbook/template/:id/draft/publish',
    access: access.write,
    summary:
      'Publishes a draft as the next version. Where the organization asks for approvals, this approves it, by somebody who did not write it.',
    params: ById,
    body: z.object({ revision: id, version: z.optional(z.int()) }),
    reply: OpenedPlaybook,
    errors: draftStale,
  },
  returnDraft: {
    method: 'POST',
    path: '/playbook/template/:id/draft/return',
    access: access.write,
    summary: 'Sends a draft that waits for approval back to its authors, with a reason.',
    params: ById,
    body: ReturnedDraft,
    reply: OpenedPlaybook,
    errors: draftStale,
  },
  archive: {
    method: 'POST',
    path: '/playbook/template/:id/archive',
    access: access.write,
    summary: 'Archives a playbook: it stays readable, but no list, picker or limit includes it.',
    params: ById,
    reply: OpenedPlaybook,
  },
  unarchive: {
    method: 'DELETE',
    path: '/playbook/template/:id/archive',
    access: access.write,
    summary: 'Takes a playbook back out of the archive.',
    params: ById,
    reply: OpenedPlaybook,
    errors: limited,
  },
  bin: {
    method: 'GET',
    path: '/playbook/bin',
    access: access.write,
    summary: 'The deleted playbooks, last deleted first.',
    query: listQuery(['deleteTimestamp'], z.object({})),
    reply: list(BinnedPlaybook),
  },
  recover: {
    method: 'POST',
    path: '/playbook/bin/:id/recover',
    access: access.write,
    summary: 'Takes a playbook back out of the bin.',
    params: ById,
    reply: OpenedPlaybook,
    errors: limited,
  },
  purge: {
    method: 'DELETE',
    path: '/playbook/bin/:id',
    access: access.write,
    summary: 'Deletes a playbook in the bin for good, with its files and versions.',
    params: ById,
    reply: nothing,
    status: 204,
  },
})
