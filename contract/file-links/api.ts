import * as z from 'zod/mini'

import { filesAccess } from '#contract/files/access.ts'
import {
  ByItem,
  ByTicket,
  DownloadTicket,
  itemId,
  PreviewTicket,
  TICKET_ERRORS,
} from '#contract/files/schema.ts'
import { everybody } from '#contract/kit/access.ts'
import { bytes, defineApi, download, list } from '#contract/kit/endpoint.ts'
import { listQuery, pageQuery } from '#contract/kit/query.ts'
import { ById, nothing } from '#contract/kit/text.ts'

import {
  FileLink,
  IssuedFileLink,
  LINK_UPLOAD_TYPE,
  LinkDoor,
  LinkItems,
  LinkItemsQuery,
  LinkOpening,
  LinkUpload,
  LinkUploadHeaders,
  LinkVisit,
  NewFileLink,
  token,
  VisitHeaders,
} from './schema.ts'

const access = filesAccess.use
/** For holders of a link: never indexed by search engines. */
const visitor = { access: everybody, everyHeaders: { 'X-Robots-Tag': 'noindex, nofollow' } }
const gone = { 404: 'The link never was, has ended, or was withdrawn.' }
const visiting = { ...gone, 401: 'The visit is over: the passcode is needed again.' }

/** Links to files and folders for people without an account (decision 089). */
export const fileLinksApi = defineApi({
  list: {
    method: 'GET',
    path: '/sfs/links',
    access,
    summary: "The caller's links, for administrators all links, newest first.",
    query: listQuery(['createTimestamp'], z.object({ itemId: z.optional(itemId) })),
    reply: list(FileLink),
  },
  create: {
    method: 'POST',
    path: '/sfs/links',
    access,
    summary: 'Makes a link to a file or folder. Only this response has its token and its passcode.',
    body: NewFileLink,
    reply: IssuedFileLink,
    status: 201,
  },
  withdraw: {
    method: 'DELETE',
    path: '/sfs/links/:id',
    access,
    summary: 'Ends a link at once.',
    params: ById,
    repeatable: true,
    reply: nothing,
    status: 204,
  },
  look: {
    ...visitor,
    method: 'POST',
    path: '/sfs/link',
    summary: 'The organization that a link is of, before its passcode.',
    body: z.object({ token }),
    repeatable: true,
    reply: LinkDoor,
    status: 200,
    errors: gone,
  },
  open: {
    ...visitor,
    method: 'POST',
    path: '/sfs/link/visits',
    summary: 'Opens a link with its passcode.',
    body: LinkOpening,
    reply: LinkVisit,
    status: 201,
    errors: { ...gone, 429: 'Too many wrong passcodes; `msUntilNextAttempt` says when to go on.' },
  },
  items: {
    ...visitor,
    method: 'GET',
    path: '/sfs/link/items',
    summary: 'What lies in the linked folder or in one below it, in pages; of a linked file the file.',
    headers: VisitHeaders,
    query: LinkItemsQuery,
    reply: LinkItems,
    errors: visiting,
  },
  download: {
    ...visitor,
    method: 'POST',
    path: '/sfs/link/items/:id/download',
    summary: 'An address for one download of a file, or of a folder as a ZIP file.',
    params: ByItem,
    headers: VisitHeaders,
    repeatable: true,
    reply: DownloadTicket,
    status: 200,
    errors: visiting,
  },
  preview: {
    ...visitor,
    method: 'POST',
    path: '/sfs/link/items/:id/preview',
    summary: 'A ticket to show the content of a file for some minutes.',
    params: ByItem,
    headers: VisitHeaders,
    repeatable: true,
    reply: PreviewTicket,
    status: 200,
    errors: { ...visiting, 415: 'The format cannot be previewed.' },
  },
  content: {
    ...visitor,
    method: 'GET',
    path: '/sfs/link/content/:ticket',
    summary: 'What a ticket of a visit is for.',
    params: ByTicket,
    query: pageQuery,
    reply: download('*/*'),
    errors: { ...gone, ...TICKET_ERRORS },
  },
  uploads: {
    ...visitor,
    method: 'GET',
    path: '/sfs/link/files',
    summary: 'The files that were sent in this visit.',
    headers: VisitHeaders,
    reply: z.array(LinkUpload),
    errors: visiting,
  },
  upload: {
    ...visitor,
    method: 'POST',
    path: '/sfs/link/files',
    summary: 'Adds a file to the linked folder. `File-Name` has its name, percent-encoded.',
    headers: LinkUploadHeaders,
    body: bytes(LINK_UPLOAD_TYPE),
    // A file that is sent again in a visit is recognised by its bytes.
    repeatable: true,
    reply: LinkUpload,
    status: 201,
    errors: {
      ...visiting,
      409: 'The folder is on legal hold, or the organization has no room left for files.',
      413: 'The file is larger than the organization takes.',
      415: 'The format is not among the allowed ones, or the content is of another one.',
      429: 'Too many files in a minute; `msUntilNextAttempt` says when to go on.',
    },
  },
})
