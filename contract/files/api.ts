import * as z from 'zod/mini'

import { everybody } from '#contract/kit/access.ts'
import {
  BODY_LIMIT_LISTS,
  BODY_LIMIT_TEXTS,
  bytes,
  defineApi,
  download,
  list,
  upload,
} from '#contract/kit/endpoint.ts'
import { listQuery, pageQuery, truth } from '#contract/kit/query.ts'
import { id as uuid, listOf, nothing, text } from '#contract/kit/text.ts'
import { NamedPerson } from '#contract/users/schema.ts'

import { filesAccess } from './access.ts'
import {
  ByItem,
  ByTicket,
  DownloadTicket,
  FileVersion,
  FoundItem,
  InterruptedUpload,
  ItemChanges,
  ItemDetails,
  ItemEvent,
  itemId,
  ITEM_REQUIRED,
  ITEMS_AT_ONCE,
  Move,
  NameConflict,
  NewFolder,
  NewUpload,
  PartHeaders,
  PlannedNames,
  PreviewTicket,
  StorageItem,
  StorageTree,
  TICKET_ERRORS,
  TrashedItem,
  TUS_VERSION,
  TusHeaders,
  UploadFields,
  UploadState,
} from './schema.ts'

const access = filesAccess.use
export const ITEM_SORT_FIELDS = ['name', 'updateTimestamp', 'size', 'extension'] as const
const ByVersion = z.object({
  id: itemId,
  fileVersion: z.coerce.number().check(z.refine(Number.isInteger), z.minimum(1)),
})
const chosenIds = listOf(z.int(), ITEMS_AT_ONCE, { required: ITEM_REQUIRED })
/** Ids in a query string, separated by commas. */
const ids = z.pipe(
  z.pipe(
    z.string().check(z.maxLength(20 * ITEMS_AT_ONCE)),
    z.transform((value: string) => [...new Set(value.split(',').map(Number))]),
  ),
  chosenIds,
)
const changing = { 409: 'The name is taken, it is on legal hold, or somebody else changed it meanwhile.' }
const ByUpload = z.object({ id: uuid })
/** State of an upload in the headers of tus. */
const uploadHeaders = ({ id, offset, length, expireTimestamp, itemId, fileVersion }: UploadState) => ({
  Location: `/api/sfs/uploads/${id}`,
  'Upload-Offset': String(offset),
  'Upload-Length': String(length),
  'Upload-Expires': new Date(expireTimestamp).toUTCString(),
  ...(itemId === null ? {} : { 'File-Id': String(itemId), 'File-Version': String(fileVersion) }),
})
const tus = { access, everyHeaders: { 'Tus-Resumable': TUS_VERSION }, replyHeaders: uploadHeaders }
const uploading = {
  409: 'The folder is on legal hold, or the organization has no room left for files.',
  413: 'The file is larger than the organization takes.',
  415: 'The format is not among the allowed ones, or the content is of another one.',
  429: 'Too many files in a minute; `msUntilNextAttempt` says when to go on.',
}

/**
 * Secure file storage (operations §7). Where the organisation requires a second factor, every call of an
 * unverified session is refused with 403 and the code `verification_required`.
 */
export const filesApi = defineApi({
  tree: {
    method: 'GET',
    path: '/sfs',
    access,
    summary: 'All folders and files that the caller may open, as a tree.',
    query: z.object({
      /** Files of incidents are never part of the tree. */
      hideIncidentsData: z._default(truth, true),
    }),
    reply: StorageTree,
  },
  folder: {
    method: 'GET',
    path: '/sfs/folder/:id',
    access,
    summary: 'What lies in a folder: folders first, by name unless said otherwise. The root is 0.',
    params: ByItem,
    query: listQuery(
      ITEM_SORT_FIELDS,
      z.object({
        /** Only items that the caller added. */
        isCreatedByMe: z.optional(z.boolean()),
        isFolder: z.optional(z.boolean()),
      }),
    ),
    reply: list(StorageItem),
  },
  details: {
    method: 'GET',
    path: '/sfs/item/:id',
    access,
    summary: 'A file or folder with where it lies, how much is in it and how many people can open it.',
    params: ByItem,
    reply: ItemDetails,
  },
  search: {
    method: 'GET',
    path: '/sfs/search',
    access,
    summary:
      'Files and folders everywhere the caller may look: those with the words in their name, then files with the words in their text.',
    query: z.extend(listQuery(ITEM_SORT_FIELDS, z.object({ isCreatedByMe: z.optional(z.boolean()) })), {
      query: text(),
    }),
    limit: 'by query',
    reply: list(FoundItem),
  },
  createFolder: {
    method: 'POST',
    path: '/sfs/folder',
    access,
    summary: 'Makes a folder; in the root with who may open it.',
    body: NewFolder,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: StorageItem,
    status: 201,
    errors: changing,
  },
  upload: {
    method: 'POST',
    path: '/sfs',
    access,
    summary:
      'Adds a file, sent in the form field `file`. One of the same name in the folder gets a new version, unless `onConflict` says otherwise.',
    body: upload(UploadFields),
    reply: StorageItem,
    status: 201,
    errors: uploading,
  },
  conflicts: {
    method: 'POST',
    path: '/sfs/folder/:id/conflicts',
    access,
    summary:
      'Those of some names that are taken in a folder or below it, to be asked before anything is sent.',
    params: ByItem,
    body: PlannedNames,
    bodyLimit: BODY_LIMIT_LISTS,
    repeatable: true,
    status: 200,
    reply: z.array(NameConflict),
  },
  uploads: {
    method: 'GET',
    path: '/sfs/uploads',
    access,
    summary: 'The uploads of the caller that were interrupted and can be resumed, oldest first.',
    reply: z.array(InterruptedUpload),
  },
  beginUpload: {
    ...tus,
    method: 'POST',
    path: '/sfs/uploads',
    summary:
      'Begins an upload in parts (tus 1.0). `Upload-Metadata` has `filename`, `parentFolderId`, `lastModified` and `onConflict`.',
    headers: NewUpload,
    reply: UploadState,
    status: 201,
    errors: { ...uploading, 412: 'Another version of tus.' },
  },
  uploadState: {
    ...tus,
    method: 'GET',
    path: '/sfs/uploads/:id',
    summary: 'Where an upload in parts has come to. With HEAD in its headers alone, as tus has it.',
    params: ByUpload,
    reply: UploadState,
  },
  continueUpload: {
    ...tus,
    method: 'PATCH',
    path: '/sfs/uploads/:id',
    summary: 'Adds bytes to an upload in parts. With the last of them the file is in its folder.',
    params: ByUpload,
    headers: PartHeaders,
    body: bytes('application/offset+octet-stream'),
    // The offset refuses bytes that are sent again.
    repeatable: true,
    reply: UploadState,
    status: 204,
    errors: { ...uploading, 412: 'Another version of tus.' },
  },
  endUpload: {
    access,
    everyHeaders: tus.everyHeaders,
    method: 'DELETE',
    path: '/sfs/uploads/:id',
    summary: 'Gives an upload in parts up, with what was sent of it.',
    params: ByUpload,
    headers: TusHeaders,
    repeatable: true,
    reply: nothing,
    status: 204,
  },
  download: {
    method: 'GET',
    path: '/sfs/:id',
    access,
    summary: 'The bytes of a file, to be saved and never to be shown in a page.',
    params: ByItem,
    reply: download('*/*'),
  },
  change: {
    method: 'PATCH',
    path: '/sfs/:id',
    access,
    summary: 'Renames a file or folder, or changes who may open a root-level folder.',
    params: ByItem,
    body: ItemChanges,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: StorageItem,
    errors: changing,
  },
  remove: {
    method: 'DELETE',
    path: '/sfs/:id',
    access,
    summary: 'Deletes a file, or a folder with everything in it. Both can be restored for 30 days.',
    params: ByItem,
    reply: nothing,
    status: 204,
    errors: changing,
  },
  move: {
    method: 'POST',
    path: '/sfs/move',
    access,
    summary:
      'Moves files and folders to another folder: all of them or none. A name that is taken needs a choice.',
    body: Move,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: z.array(StorageItem),
    errors: changing,
  },
  archive: {
    method: 'GET',
    path: '/sfs/archive',
    access,
    summary: 'Files and folders with everything in them that the caller may open, as a ZIP file.',
    query: z.object({ ids }),
    limit: 'documents',
    reply: download('application/zip'),
  },
  readers: {
    method: 'GET',
    path: '/sfs/item/:id/people',
    access,
    summary: 'Who can open a file or folder, by name.',
    params: ByItem,
    query: listQuery(['firstName'], z.object({})),
    reply: list(NamedPerson),
  },
  events: {
    method: 'GET',
    path: '/sfs/item/:id/events',
    access,
    summary: 'Who looked at, fetched and changed a file or folder, newest first. For administrators.',
    params: ByItem,
    query: listQuery(['at'], z.object({})),
    reply: list(ItemEvent),
  },
  hold: {
    method: 'PUT',
    path: '/sfs/item/:id/hold',
    access,
    summary: 'Puts a file or folder on legal hold, or takes it off. For administrators.',
    params: ByItem,
    body: z.object({ isOnHold: z.boolean() }),
    repeatable: true,
    reply: StorageItem,
  },
  versions: {
    method: 'GET',
    path: '/sfs/item/:id/versions',
    access,
    summary: 'The contents that a file has had, newest first.',
    params: ByItem,
    reply: z.array(FileVersion),
  },
  downloadVersion: {
    method: 'GET',
    path: '/sfs/item/:id/versions/:fileVersion',
    access,
    summary: 'The bytes of an earlier content of a file.',
    params: ByVersion,
    reply: download('*/*'),
  },
  restoreVersion: {
    method: 'POST',
    path: '/sfs/item/:id/versions/:fileVersion/restore',
    access,
    summary: 'Makes an earlier content the newest one.',
    params: ByVersion,
    reply: StorageItem,
    errors: changing,
  },
  trash: {
    method: 'GET',
    path: '/sfs/trash',
    access,
    summary:
      'What was deleted and can be restored, newest first: what the caller deleted, for administrators everything.',
    query: listQuery(['deleteTimestamp'], z.object({})),
    reply: list(TrashedItem),
  },
  restore: {
    method: 'POST',
    path: '/sfs/trash/:id/restore',
    access,
    summary: 'Puts something back where it was; into the root where its folder is gone.',
    params: ByItem,
    reply: StorageItem,
    errors: changing,
  },
  purge: {
    method: 'DELETE',
    path: '/sfs/trash/:id',
    access,
    summary: 'Deletes something for good. For administrators.',
    params: ByItem,
    reply: nothing,
    status: 204,
    errors: changing,
  },
  preview: {
    method: 'POST',
    path: '/sfs/item/:id/preview',
    access,
    summary: 'A ticket to fetch the content of a file for some minutes, for players and viewers.',
    params: ByItem,
    body: z.object({ fileVersion: z.optional(z.int()) }),
    repeatable: true,
    reply: PreviewTicket,
    errors: { 415: 'The format cannot be previewed.' },
  },
  downloadTicket: {
    method: 'POST',
    path: '/sfs/item/:id/download',
    access,
    summary: 'An address for one download of a file, for browsers, which save what they open by themselves.',
    params: ByItem,
    body: z.object({ fileVersion: z.optional(z.int()) }),
    repeatable: true,
    reply: DownloadTicket,
  },
  archiveTicket: {
    method: 'POST',
    path: '/sfs/archive',
    access,
    summary: 'An address for one download of files and folders as a ZIP file, for browsers.',
    body: z.object({ ids: chosenIds }),
    bodyLimit: BODY_LIMIT_TEXTS,
    repeatable: true,
    limit: 'documents',
    reply: DownloadTicket,
  },
  content: {
    method: 'GET',
    path: '/sfs/content/:ticket',
    access: everybody,
    summary:
      'What a ticket is for, files in ranges: a preview, or a download once. Its session must still be alive and verified.',
    params: ByTicket,
    query: pageQuery,
    reply: download('*/*'),
    errors: TICKET_ERRORS,
  },
})
