import * as z from 'zod/mini'

import { ByTicket, DownloadTicket, TICKET_ERRORS } from '#contract/files/schema.ts'
import { everybody, has } from '#contract/kit/access.ts'
import { defineApi, download, upload } from '#contract/kit/endpoint.ts'
import { shownQuery } from '#contract/kit/query.ts'
import { ById, nothing } from '#contract/kit/text.ts'
import { UNDO_ERRORS } from '#contract/kit/undo.ts'

import { attachmentsAccess, FILE_PERMISSIONS } from './rules.ts'
import { Attachment, Parent } from './schema.ts'

// The handlers check the permission of the parent's own type: see `fileAccess`.
const read = has(...FILE_PERMISSIONS.read)
const write = has(...FILE_PERMISSIONS.write)
const refusals = {
  409: 'The incident is resolved, or the organization has no room left for files.',
  413: 'The file is larger than the organization takes.',
  415: 'The format is not among the allowed ones, or the content is of another one.',
  429: 'Too many files in a minute; `msUntilNextAttempt` says when to go on.',
}

/** Files of incidents, of their tasks and updates, and of playbooks (operations §7 "Attachments"). */
export const attachmentsApi = defineApi({
  add: {
    method: 'POST',
    path: '/fa/:parentType/:parentId',
    access: write,
    summary: 'Adds one file, sent in the form field `file`.',
    params: Parent,
    body: upload(z.object({})),
    reply: Attachment,
    status: 201,
    errors: refusals,
  },
  addByForm: {
    method: 'POST',
    path: '/fa',
    access: write,
    summary: 'The same, with what the file belongs to as form fields.',
    body: upload(Parent),
    reply: Attachment,
    status: 201,
    errors: refusals,
  },
  list: {
    method: 'GET',
    path: '/fa/:parentType/:parentId',
    access: read,
    summary:
      'The files of something, in the order in which they were added. Those of an incident include those of its tasks and updates.',
    params: Parent,
    reply: z.array(Attachment),
  },
  download: {
    method: 'GET',
    path: '/fa/:id',
    access: read,
    summary: 'The bytes of a file, to be saved and never to be shown in a page.',
    params: ById,
    query: shownQuery,
    reply: download('*/*'),
    errors: { 415: 'The image cannot be shown.' },
  },
  downloadTicket: {
    method: 'POST',
    path: '/fa/:id/download',
    access: attachmentsAccess.downloadTicket,
    summary: 'An address for one download of a file, for browsers, which save what they open by themselves.',
    params: ById,
    repeatable: true,
    reply: DownloadTicket,
  },
  content: {
    method: 'GET',
    path: '/fa/content/:ticket',
    access: everybody,
    summary: 'The file that a ticket is for, once, in ranges. Its session must still be alive.',
    params: ByTicket,
    reply: download('*/*'),
    errors: TICKET_ERRORS,
  },
  remove: {
    method: 'DELETE',
    path: '/fa/:id',
    access: write,
    summary: 'Deletes a file. What it was stays in the history.',
    params: ById,
    reply: nothing,
    status: 204,
    errors: { 409: 'The incident is resolved.' },
  },
  restore: {
    method: 'POST',
    path: '/fa/:id/restore',
    access: write,
    summary: 'Undoes the deletion of a file by the caller within ten minutes.',
    params: ById,
    reply: Attachment,
    errors: { ...UNDO_ERRORS, 409: `${UNDO_ERRORS[409]} ${refusals[409]}` },
  },
})
