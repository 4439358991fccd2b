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
export const COPY_INTO_ITSELF = 'A folder cannot be copied into itself.'
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
export const ITEM_REQUIRED = 'Please select at least one file or folder.'
export const TOO_DEEP = 'Folders cannot be nested any deeper.'
/** Levels of nested folders. */
export const DEPTH_MAX = 50
/** The root's id (decisions §6). */
export const ROOT = 0
/** Days for which deleted items can be restored. */
export const TRASH_DAYS = 30
/** Files and folders that one call may move or start an archive with. */
export const ITEMS_AT_ONCE = 1_000
export const TOO_MANY_COPIES =
  'At most 1,000 files and folders can be copied at once, with everything in them.'
export const NO_THUMBNAIL = 'There is no small picture of this file.'

/** Access of a root-level folder and everything in it (operations §3 "Storage item"). */
export const FOLDER_TYPES = ['PUBLIC', 'PRIVATE', 'ADMIN'] as const
export const FolderType = z.enum(FOLDER_TYPES)
export type FolderType = z.infer<typeof FolderType>
/** The people, besides administrators, who open a folder of each type, and who give a folder that type. */
export const FOLDER_ACCESS = {
  PUBLIC: { opens: 'everybody', changes: 'everybody' },
  PRIVATE: { opens: 'its groups', changes: 'everybody' },
  ADMIN: { opens: 'nobody', changes: 'nobody' },
} as const satisfies { readonly [T in FolderType]: Readonly<Record<'opens' | 'changes', string>> }
/** True for types that open folders to the groups chosen for them. */
export const hasGroups = (type: FolderType): boolean => FOLDER_ACCESS[type].opens === 'its groups'

export const itemId = z.coerce.number().check(z.refine(Number.isSafeInteger), z.minimum(0))
export const ByItem = z.object({ id: itemId })
/** The parent folder of an item. Null means the root, as 0 does (decisions §5). */
export const parentFolderId = z.pipe(
  z.nullable(z.int().check(z.minimum(0))),
  z.transform((id) => id ?? ROOT),
)
/** The parent folder in a form field or in metadata, where every value is text. */
const parentFolderIdAsText = z.pipe(
  z.transform((id) => (id === 'null' ? ROOT : id)),
  itemId,
)

/** A file or folder (operations §3 "Storage item"). */
export const StorageItem = z.object({
  id: z.int(),
  /** Without the extension of a file. */
  name: z.string(),
  /** Without the dot; empty for a folder. */
  extension: z.string(),
  /** Bytes; 0 for a folder. */
  size: z.int(),
  isFolder: z.boolean(),
  /** 0 for the root. */
  parentFolderId: z.int(),
  /** Type of the root-level folder that holds the item and decides its access; PUBLIC for a file in the root. */
  folderType: FolderType,
  /** Groups of that root-level folder. */
  groupIds: z.array(uuid),
  createdBy: z.string(),
  createdByName: z.string(),
  createTimestamp: timestamp,
  updateTimestamp: timestamp,
  /**
   * True when the caller may rename, move and delete the item: its creator or an administrator, without a legal hold.
   */
  isEditable: z.boolean(),
  /** True when the item or a folder above it is on legal hold. */
  isOnHold: z.boolean(),
  /** True when the caller has starred the item. */
  isStarred: z.boolean(),
  /** The content type detected from the bytes; null for a folder. */
  type: z.nullable(z.string()),
  /** SHA-256 of the bytes in hexadecimal; null for a folder. */
  sha256: z.nullable(z.string()),
  /** Number of the file's current content, from 1. */
  fileVersion: z.int(),
  version: z.int(),
})
export type StorageItem = z.infer<typeof StorageItem>

/** A folder with all items below it that the caller may open. */
export type StorageTree = StorageItem & { readonly children?: StorageTree[] | undefined }
export const StorageTree: z.ZodMiniType<StorageTree> = z.lazy(() =>
  z.extend(StorageItem, { children: z.optional(z.array(StorageTree)) }),
)

/** A folder of a path. */
export const PathStep = z.object({ id: z.int(), name: z.string() })
export type PathStep = z.infer<typeof PathStep>
/** A file or folder with its path. */
export const PlacedItem = z.extend(StorageItem, {
  /** The folders from the root to the item's parent. */
  path: z.array(PathStep),
})
export type PlacedItem = z.infer<typeof PlacedItem>
/** The place in a file's text where a search found it. */
export const TextMatch = z.object({
  /** Page of a PDF, from 1; null in other files. */
  page: z.nullable(z.int()),
  /** Around 150 characters of the text, in parts of which the searched words are marked. */
  snippet: z.array(z.object({ text: z.string(), isMatch: z.boolean() })),
})
export type TextMatch = z.infer<typeof TextMatch>
/** A file or folder that a search found: by its name, or else by its text. */
export const FoundItem = z.extend(PlacedItem, { textMatch: z.optional(TextMatch) })
export type FoundItem = z.infer<typeof FoundItem>
/** A file or folder with its details. */
export const ItemDetails = z.extend(PlacedItem, {
  /** Items directly in a folder, and bytes of all files below it. */
  itemsCount: z.int(),
  totalSize: z.int(),
  /** People who can open the item. */
  peopleCount: z.int(),
})
export type ItemDetails = z.infer<typeof ItemDetails>

/** One spelling for texts that look alike, without marks that reverse the direction of text. */
const asShown = (value: string): string => value.normalize('NFC').replace(/\p{Bidi_Control}/gu, '')
/** Key of a name within a folder, regardless of case and normal form. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase()
/** The name of the folder for a title: "Folder IT" where the title is too short for a name. */
export function folderNameOf(title: string): string {
  const name = asShown(title).trim()
  return name.length < FOLDER_NAME_MIN ? `Folder ${name}`.trim() : name
}
// Includes lone surrogates, which are not valid text.
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
/** More groups than any organisation has. */
const GROUPS_MAX = 1_000
/** A new folder. Type and groups are for the root only; folders below inherit them. */
export const NewFolder = z
  .object({
    name: folderName,
    parentFolderId: z.prefault(parentFolderId, ROOT),
    folderType: z.optional(FolderType),
    groupIds: z._default(listOf(uuid, GROUPS_MAX), []),
  })
  .check(
    z.refine(({ folderType, groupIds }) => !folderType || !hasGroups(folderType) || groupIds.length > 0, {
      path: ['groupIds'],
      error: GROUP_REQUIRED,
    }),
  )
export type NewFolder = z.infer<typeof NewFolder>

/** A new name for a file or folder; for a root-level folder also its access. */
export const ItemChanges = z
  .object({
    name: z.optional(itemName(FILE_NAME_TOO_SHORT)),
    folderType: z.optional(FolderType),
    groupIds: z.optional(listOf(uuid, GROUPS_MAX)),
    version: z.optional(z.int()),
  })
  .check(
    z.refine(
      ({ folderType, groupIds }) => !folderType || !hasGroups(folderType) || (groupIds?.length ?? 0) > 0,
      {
        path: ['groupIds'],
        error: GROUP_REQUIRED,
      },
    ),
  )
export type ItemChanges = z.infer<typeof ItemChanges>

/** Ways to treat a name that is taken in the folder. A program that names none gets a new version, as ever. */
export const OnConflict = z.enum(['replace', 'keepBoth', 'refuse'])
export type OnConflict = z.infer<typeof OnConflict>
const onConflict = z._default(OnConflict, 'replace')

/** Form fields of an upload; name and extension default to those of the file. */
export const UploadFields = z.object({
  name: z.optional(text().check(z.refine((value) => !CONTROL.test(value), CONTROL_IN_NAME))),
  extension: z.optional(text(50)),
  parentFolderId: z.prefault(parentFolderIdAsText, ROOT),
  onConflict,
})
export type UploadFields = z.infer<typeof UploadFields>

/** Version of tus, the protocol of resumable uploads. */
export const TUS_VERSION = '1.0.0'
/** Hours for which an interrupted upload can be resumed after its last part. */
export const RESUMABLE_HOURS = 24
/**
 * Bytes of one part, the most that has to be sent again after a crash. The largest file of the default configuration is
 * one part, which becomes the file without a copy, and common proxies accept a body of this size.
 */
export const UPLOAD_PART = 100 * 1024 * 1024
export const WRONG_TUS_VERSION = 'This version of tus is not spoken.'
export const WRONG_OFFSET = 'The upload is not at this offset.'
export const OTHER_LENGTH = 'This is more than the upload was said to have.'
export const UPLOAD_STOPPED = 'The upload stopped. It can be resumed.'
/** Code of a refusal that names the offset from which the upload continues. */
export const OFFSET_CONFLICT = 'upload_offset'

const wholeNumber = z.pipe(
  z.string().check(z.regex(/^\d{1,15}$/, 'This is not a number.')),
  z.transform(Number),
)
const tusVersion = { 'tus-resumable': z.optional(z.string()) }
/** Decodes Base64 of UTF-8, as in `Upload-Metadata`. */
const decoded = (base64: string): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(atob(base64), (one) => one.charCodeAt(0)))
interface Metadata {
  filename: string
  parentFolderId?: unknown
  onConflict?: unknown
  lastModified?: unknown
}
/** The pairs of `Upload-Metadata`: a key, a space and its value in Base64. */
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
/**
 * The headers of a new upload: its length, with `filename`, `parentFolderId`, `lastModified` and `onConflict` in the
 * metadata.
 */
export const NewUpload = z.object({
  ...tusVersion,
  'upload-length': wholeNumber,
  'upload-metadata': z.pipe(
    metadata,
    z.object({
      filename: requiredText('The metadata has to have a filename.'),
      parentFolderId: z.prefault(parentFolderIdAsText, ROOT),
      /** Milliseconds since 1970 on the sending device, to tell apart files of the same name. */
      lastModified: z.optional(z.coerce.number().check(z.refine(Number.isSafeInteger))),
      onConflict,
    }),
  ),
})
export type NewUpload = z.infer<typeof NewUpload>
/** The offset of a part. */
export const PartHeaders = z.object({ ...tusVersion, 'upload-offset': wholeNumber })
export const TusHeaders = z.object(tusVersion)

/** Names of files to add, by their folder below the target. */
export const PlannedNames = z.object({
  folders: z
    .array(
      z.object({
        /** Names of the folders from the target down; empty for the target itself. */
        path: z.array(z.string().check(z.maxLength(4 * SHORT_TEXT_MAX))).check(z.maxLength(DEPTH_MAX)),
        /** Whole names, with extensions. */
        names: listOf(z.string().check(z.maxLength(4 * SHORT_TEXT_MAX)), ITEMS_AT_ONCE),
      }),
    )
    .check(
      z.maxLength(ITEMS_AT_ONCE),
      z.refine((folders) => folders.reduce((sum, { names }) => sum + names.length, 0) <= ITEMS_AT_ONCE, {
        error: `At most ${ITEMS_AT_ONCE} names are checked at a time.`,
      }),
    ),
})
export type PlannedNames = z.infer<typeof PlannedNames>
/** A planned name that is taken. */
export const NameConflict = z.object({
  /** Index of the planned folder. */
  folder: z.int(),
  /** The planned name. */
  name: z.string(),
  /** The file or folder that has it. */
  item: StorageItem,
  /** True when the caller may replace the item: a file that they may edit. */
  canReplace: z.boolean(),
})
export type NameConflict = z.infer<typeof NameConflict>

/** A move of files and folders, with a choice for those whose name is taken. */
export const Move = z.object({
  ids: listOf(z.int(), ITEMS_AT_ONCE, { required: ITEM_REQUIRED }),
  parentFolderId,
  /** `replace` puts the file that has the name into the trash. Without a choice the move is refused. */
  choices: z._default(
    listOf(z.object({ id: z.int(), choice: z.enum(['replace', 'keepBoth']) }), ITEMS_AT_ONCE),
    [],
  ),
})
export type Move = z.infer<typeof Move>

/** Copies of files and folders. A name that is taken gets a number. */
export const Copy = z.object({
  ids: listOf(z.int(), ITEMS_AT_ONCE, { required: ITEM_REQUIRED }),
  parentFolderId,
})
export type Copy = z.infer<typeof Copy>

/** A resumable upload. */
export const UploadState = z.object({
  id: uuid,
  name: z.string(),
  extension: z.string(),
  parentFolderId: z.int(),
  /** Bytes of the whole file. */
  length: z.int(),
  /** Bytes stored durably. At `length` the file is in its folder. */
  offset: z.int(),
  lastModified: z.nullable(z.int()),
  updateTimestamp: timestamp,
  /** End of the time in which the upload can be resumed. */
  expireTimestamp: timestamp,
  /** The finished file, and the number of its content; null before. */
  itemId: z.nullable(z.int()),
  fileVersion: z.nullable(z.int()),
})
export type UploadState = z.infer<typeof UploadState>
/** An interrupted upload that can be resumed. */
export const InterruptedUpload = z.extend(UploadState, {
  /** The folders down to the upload's own; null for a folder that is deleted or no longer open to the uploader. */
  path: z.nullable(z.array(PathStep)),
})
export type InterruptedUpload = z.infer<typeof InterruptedUpload>

/** An entry in the history of a file or folder, for administrators. */
export const ItemEvent = z.object({
  id: uuid,
  at: timestamp,
  actor: z.string(),
  actorName: z.string(),
  /** In English: "Viewed", "Downloaded", "Renamed from …". */
  what: z.string(),
  /** Address and program of a visitor by a link; null for everybody else. */
  address: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
})
export type ItemEvent = z.infer<typeof ItemEvent>

/** One version of a file's content. */
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

/** A deleted file or folder that can be restored. */
export const TrashedItem = z.extend(PlacedItem, {
  deletedBy: z.string(),
  deletedByName: z.string(),
  deleteTimestamp: timestamp,
  /** Time of its permanent deletion. */
  expireTimestamp: timestamp,
})
export type TrashedItem = z.infer<typeof TrashedItem>

/** A temporary permission to fetch one file without headers, for media players and viewers. */
export const PreviewTicket = z.object({
  /** Address below the API, including the ticket. */
  path: z.string(),
  /** Content type of the response: images that browsers cannot show are converted. */
  type: z.string(),
  expireTimestamp: timestamp,
})
export type PreviewTicket = z.infer<typeof PreviewTicket>

/** A temporary permission to download a file or an archive once without headers, for the browser's own downloads. */
export const DownloadTicket = z.object({
  /** Address below the API, including the ticket. */
  path: z.string(),
  /** Last time to start the download, or to resume one that broke off. */
  expireTimestamp: timestamp,
})
export type DownloadTicket = z.infer<typeof DownloadTicket>
export const ByTicket = z.object({ ticket: z.string().check(z.maxLength(2_000)) })
export const TICKET_ERRORS = {
  410: 'The address was for one download and is used, or it has expired.',
} as const
