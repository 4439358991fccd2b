import * as z from 'zod/mini'

import {
  id as uuid,
  listOf,
  requiredText,
  SHORT_TEXT_MAX,
  text,
  timestamp,
  tooLong,
  visible,
} from '#contract/kit/text.ts'

export const FOLDER_NAME_REQUIRED = 'Please enter a folder name.'
export const FOLDER_NAME_MIN = 3
export const FOLDER_NAME_TOO_SHORT = `Folder name must contain at least ${FOLDER_NAME_MIN} characters.`
export const FILE_NAME_TOO_SHORT = `The name must contain at least ${FOLDER_NAME_MIN} characters.`
export const CONTROL_IN_NAME = 'A name cannot contain control characters.'
export const GROUP_REQUIRED = 'At least one of your groups must be selected.'
export const OWN_GROUPS_NEEDED = 'Cannot remove all groups giving you access to this folder.'
export const NAME_TAKEN = 'There is already a file or folder with this name here.'
export const FOLDER_NAME_MISMATCH = 'Typed name must match the folder name exactly.'
export const ON_LEGAL_HOLD = 'This is on legal hold. It can be neither changed nor deleted.'
export const NO_ROOM_FOR_FILE = 'There is no room left for this file in the storage of your organization.'
export const INTO_ITSELF = 'A folder cannot be moved into itself.'
export const ROOT_LEVEL_ONLY = 'Only folders in the root have access of their own.'
export const NOT_YOUR_GROUP = 'Please select only groups that you are in.'
export const UNKNOWN_GROUP = 'This group does not exist.'
export const ADMIN_FOLDERS_BY_ADMINS = 'Only administrators can choose this.'
export const NOT_YOURS = 'Only administrators and whoever added it can change this.'
export const RESTORE_FOLDER_FIRST = 'Please restore the folder that it was in first.'
export const CANNOT_PREVIEW =
  'Sorry, this file type cannot be previewed. Please download the file to view it.'
export const DOWNLOAD_OVER =
  'This address was good for one download, for a minute. Please download the file again.'
export const TOO_DEEP = 'Folders cannot be nested any deeper.'
/** Folders in each other. */
export const DEPTH_MAX = 50
/** The id of the root (decisions §6). */
export const ROOT = 0
/** Days that what was deleted can be restored. */
export const TRASH_DAYS = 30
/** Files and folders that one call moves, or that one archive begins with. */
export const ITEMS_AT_ONCE = 1_000

/** Who may open a root-level folder, and everything in it (operations §3 "Storage item"). */
export const FOLDER_TYPES = ['PUBLIC', 'PRIVATE', 'ADMIN'] as const
export const FolderType = z.enum(FOLDER_TYPES)
export type FolderType = z.infer<typeof FolderType>

/** The id of a file or folder. */
export const itemId = z.coerce.number().check(z.refine(Number.isSafeInteger), z.minimum(0))
export const ByItem = z.object({ id: itemId })
/** The folder that holds an item. Null is the root, as 0 is (decisions §5). */
export const parentFolderId = z.pipe(
  z.nullable(z.int().check(z.minimum(0))),
  z.transform((id) => id ?? ROOT),
)
/** The same in a form field or in metadata, where everything is text. */
const parentFolderIdAsText = z.pipe(
  z.transform((id) => (id === 'null' ? ROOT : id)),
  itemId,
)

/** A file or folder (operations §3 "Storage item"). */
export const StorageItem = z.object({
  id: z.int(),
  /** Of a file without its extension. */
  name: z.string(),
  /** Without the dot; empty for a folder. */
  extension: z.string(),
  /** Bytes; 0 for a folder. */
  size: z.int(),
  isFolder: z.boolean(),
  /** 0 where it lies in the root. */
  parentFolderId: z.int(),
  /** That of the root-level folder in which it lies, which decides about it; PUBLIC for a file in the root. */
  folderType: FolderType,
  /** The groups of that folder. */
  groupIds: z.array(uuid),
  createdBy: z.string(),
  createdByName: z.string(),
  createTimestamp: timestamp,
  updateTimestamp: timestamp,
  /** Whether the caller may rename, move and delete it: its creator or an administrator, and no legal hold is on it. */
  isEditable: z.boolean(),
  /** Whether it, or a folder above it, is on legal hold. */
  isOnHold: z.boolean(),
  /** The content type detected from the bytes; null for a folder. */
  type: z.nullable(z.string()),
  /** SHA-256 of the bytes in hexadecimal; null for a folder. */
  sha256: z.nullable(z.string()),
  /** Counts the contents that a file has had, from 1. */
  fileVersion: z.int(),
  version: z.int(),
})
export type StorageItem = z.infer<typeof StorageItem>

/** A folder with everything below it that the caller may open. */
export type StorageTree = StorageItem & { readonly children?: StorageTree[] | undefined }
export const StorageTree: z.ZodMiniType<StorageTree> = z.lazy(() =>
  z.extend(StorageItem, { children: z.optional(z.array(StorageTree)) }),
)

/** A step of the way from the root to a folder. */
export const PathStep = z.object({ id: z.int(), name: z.string() })
export type PathStep = z.infer<typeof PathStep>
/** A file or folder with where it lies. */
export const PlacedItem = z.extend(StorageItem, {
  /** The folders from the root to the one in which it lies. */
  path: z.array(PathStep),
})
export type PlacedItem = z.infer<typeof PlacedItem>
/** A file or folder with what is known of it. */
export const ItemDetails = z.extend(PlacedItem, {
  /** Files and folders in a folder, and the bytes of all files below it. */
  itemsCount: z.int(),
  totalSize: z.int(),
  /** People who can open it. */
  peopleCount: z.int(),
})
export type ItemDetails = z.infer<typeof ItemDetails>

/** One spelling for what looks alike, without marks that turn the direction of what follows. */
const asShown = (value: string): string => value.normalize('NFC').replace(/\p{Bidi_Control}/gu, '')
/** The key of a name, which a folder holds once: neither case nor normal form counts. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase()
/** The name of the folder that is made of a title: "Folder IT" where the title is too short for a name. */
export function folderNameOf(title: string): string {
  const name = asShown(title).trim()
  return name.length < FOLDER_NAME_MIN ? `Folder ${name}`.trim() : name
}
// Without lone surrogates, which are not text.
const CONTROL = /[\p{Cc}\p{Cs}]/u
const itemName = (tooShort: string) =>
  z.string(FOLDER_NAME_REQUIRED).check(
    z.maxLength(4 * SHORT_TEXT_MAX, { error: tooLong(SHORT_TEXT_MAX), abort: true }),
    z.overwrite(asShown),
    z.trim(),
    z.minLength(1, { error: FOLDER_NAME_REQUIRED, abort: true }),
    visible(FOLDER_NAME_REQUIRED),
    z.minLength(FOLDER_NAME_MIN, tooShort),
    z.maxLength(SHORT_TEXT_MAX, tooLong(SHORT_TEXT_MAX)),
    z.refine((value) => !CONTROL.test(value), CONTROL_IN_NAME),
  )
const folderName = itemName(FOLDER_NAME_TOO_SHORT)
/** More groups than an organisation has. */
const GROUPS_MAX = 1_000
/** A new folder. Type and groups are for the root only: below it they are those of the root-level folder. */
export const NewFolder = z
  .object({
    name: folderName,
    parentFolderId: z.prefault(parentFolderId, ROOT),
    folderType: z.optional(FolderType),
    groupIds: z._default(listOf(uuid, GROUPS_MAX), []),
  })
  .check(
    z.refine(({ folderType, groupIds }) => folderType !== 'PRIVATE' || groupIds.length > 0, {
      path: ['groupIds'],
      error: GROUP_REQUIRED,
    }),
  )
export type NewFolder = z.infer<typeof NewFolder>

/** A new name for a file or folder; for a root-level folder also who may open it. */
export const ItemChanges = z
  .object({
    name: z.optional(itemName(FILE_NAME_TOO_SHORT)),
    folderType: z.optional(FolderType),
    groupIds: z.optional(listOf(uuid, GROUPS_MAX)),
    version: z.optional(z.int()),
  })
  .check(
    z.refine(({ folderType, groupIds }) => folderType !== 'PRIVATE' || (groupIds?.length ?? 0) > 0, {
      path: ['groupIds'],
      error: GROUP_REQUIRED,
    }),
  )
export type ItemChanges = z.infer<typeof ItemChanges>

/** The form fields of an upload; name and extension are those of the file unless said. */
export const UploadFields = z.object({
  name: z.optional(text().check(z.refine((value) => !CONTROL.test(value), CONTROL_IN_NAME))),
  extension: z.optional(text(50)),
  parentFolderId: z.prefault(parentFolderIdAsText, ROOT),
})
export type UploadFields = z.infer<typeof UploadFields>

/** The protocol in which files are uploaded in parts (tus). */
export const TUS_VERSION = '1.0.0'
/** Hours that an interrupted upload can be resumed, counted from the last part of it. */
export const RESUMABLE_HOURS = 24
/**
 * Bytes of a part that is kept as a whole: what a killed server may have to be sent again. The largest file of the default
 * configuration is one part, which becomes the file without a copy, and proxies let a body of this size pass already.
 */
export const UPLOAD_PART = 100 * 1024 * 1024
export const WRONG_TUS_VERSION = 'This version of tus is not spoken.'
export const WRONG_OFFSET = 'The upload is not at this offset.'
export const OTHER_LENGTH = 'This is more than the upload was said to have.'
export const UPLOAD_STOPPED = 'The upload stopped. It can be resumed.'
/** Code of a refusal after which the upload goes on from the offset that the server names. */
export const OFFSET_CONFLICT = 'upload_offset'

const wholeNumber = z.pipe(
  z.string().check(z.regex(/^\d{1,15}$/, 'This is not a number.')),
  z.transform(Number),
)
const tusVersion = { 'tus-resumable': z.optional(z.string()) }
/** Base64 of UTF-8, as `Upload-Metadata` has it. */
const decoded = (base64: string): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(atob(base64), (one) => one.charCodeAt(0)))
interface Metadata {
  filename: string
  parentFolderId?: unknown
  lastModified?: unknown
}
/** The pairs of `Upload-Metadata`: a key, and after a space its value in Base64. */
const metadata = z.pipe(
  z.string().check(z.maxLength(4_096)),
  z.transform((value: string, context): Metadata => {
    try {
      const pairs = value.split(',').map((pair): [string, string] => {
        const [key = '', coded = ''] = pair.trim().split(' ')
        return [key, decoded(coded)]
      })
      return { filename: '', ...Object.fromEntries(pairs) }
    } catch {
      context.issues.push({ code: 'custom', message: 'The metadata cannot be read.', input: value })
      return z.NEVER
    }
  }),
)
/** What begins an upload in parts: its length, and in its metadata `filename`, `parentFolderId` and `lastModified`. */
export const NewUpload = z.object({
  ...tusVersion,
  'upload-length': wholeNumber,
  'upload-metadata': z.pipe(
    metadata,
    z.object({
      filename: requiredText('The metadata has to have a filename.'),
      parentFolderId: z.prefault(parentFolderIdAsText, ROOT),
      /** Milliseconds since 1970 by the device that has the file, which tells it from another one of its name. */
      lastModified: z.optional(z.coerce.number().check(z.refine(Number.isSafeInteger))),
    }),
  ),
})
export type NewUpload = z.infer<typeof NewUpload>
/** Where a part begins. */
export const PartHeaders = z.object({ ...tusVersion, 'upload-offset': wholeNumber })
export const TusHeaders = z.object(tusVersion)

/** An upload in parts. */
export const UploadState = z.object({
  id: uuid,
  name: z.string(),
  extension: z.string(),
  parentFolderId: z.int(),
  /** Bytes of the whole file. */
  length: z.int(),
  /** Bytes that are kept for good. All of them: the file is in its folder. */
  offset: z.int(),
  lastModified: z.nullable(z.int()),
  updateTimestamp: timestamp,
  /** Until when it can be resumed. */
  expireTimestamp: timestamp,
  /** The file that it became, and which content of it; null before. */
  itemId: z.nullable(z.int()),
  fileVersion: z.nullable(z.int()),
})
export type UploadState = z.infer<typeof UploadState>
/** An upload that was interrupted and can be resumed. */
export const InterruptedUpload = z.extend(UploadState, {
  /** The folders down to its own; null where that is gone, or no longer open to the uploader. */
  path: z.nullable(z.array(PathStep)),
})
export type InterruptedUpload = z.infer<typeof InterruptedUpload>

/** An entry of the history of a file or folder, for administrators. */
export const ItemEvent = z.object({
  id: uuid,
  at: timestamp,
  actor: z.string(),
  actorName: z.string(),
  /** In words: "Viewed", "Downloaded", "Renamed from …". */
  what: z.string(),
})
export type ItemEvent = z.infer<typeof ItemEvent>

/** The content that a file had. */
export const FileVersion = z.object({
  fileVersion: z.int(),
  size: z.int(),
  sha256: z.string(),
  extension: z.string(),
  createdBy: z.string(),
  createdByName: z.string(),
  createTimestamp: timestamp,
})
export type FileVersion = z.infer<typeof FileVersion>

/** A file or folder that was deleted and can be restored. */
export const TrashedItem = z.extend(PlacedItem, {
  deletedBy: z.string(),
  deletedByName: z.string(),
  deleteTimestamp: timestamp,
  /** When it goes for good. */
  expireTimestamp: timestamp,
})
export type TrashedItem = z.infer<typeof TrashedItem>

/** Leave to fetch the content of one file for a while without headers, as players and viewers do. */
export const PreviewTicket = z.object({
  /** The address below the API, with the ticket in it. */
  path: z.string(),
  /** The content type that it answers with: images that browsers cannot show are converted. */
  type: z.string(),
  expireTimestamp: timestamp,
})
export type PreviewTicket = z.infer<typeof PreviewTicket>

/** Leave to download a file or an archive once without headers, as a browser does that saves it by itself. */
export const DownloadTicket = z.object({
  /** The address below the API, with the ticket in it. */
  path: z.string(),
  /** Until when it can be begun with, and a download that broke off be resumed. */
  expireTimestamp: timestamp,
})
export type DownloadTicket = z.infer<typeof DownloadTicket>
/** The address that a ticket is. */
export const ByTicket = z.object({ ticket: z.string().check(z.maxLength(2_000)) })
export const TICKET_ERRORS = {
  410: 'The address was for one download and is used, or it has expired.',
} as const
