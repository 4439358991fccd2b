import {
  FILE_EMPTY,
  FORMAT_NOT_SUPPORTED,
  isAllowedExtension,
  MEGABYTE,
  partsOf,
} from '#contract/kit/files.ts'
import { SHORT_TEXT_MAX, tooLong } from '#contract/kit/text.ts'
import {
  NAME_TAKEN,
  NO_ROOM_FOR_FILE,
  type OnConflict,
  ON_LEGAL_HOLD,
  ROOT,
  type StorageItem,
  type UploadFields,
} from '#contract/files/schema.ts'
import { keepBlob, keptBytes, blobSource, type StoredBlob } from '#server/kit/blobs/blobs.ts'
import { contentTypeOf } from '#server/kit/blobs/file-kinds.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { runHook } from '#server/kit/database/hooks.ts'
import { demand, notFound, Refusal, wrongField } from '#server/kit/core/refusal.ts'
import type { Caller, OutsideTransactionContext, UploadedFile } from '#server/kit/http/serve.ts'
import { cleanName } from '#server/kit/http/uploads.ts'
import type { Services } from '#server/kit/services.ts'

import {
  type Acting,
  changing,
  contentChanges,
  demandEditable,
  demandOpenToNew,
  openedFile,
  openedFolder,
  pathIn,
  recordItem,
  toItem,
  type Viewer,
  viewerOf,
} from './access.flows.ts'
import { freeName } from './conflicts.flows.ts'
import { noteUse } from './marks.flows.ts'
import { findItem, listNamed, insertItem, type ItemRow, updateItem } from './store.ts'
import { findVersion, insertVersion, type VersionRow } from './versions.store.ts'

declare module '#server/kit/database/hooks.ts' {
  interface Hooks {
    /** A file is added, or has a new content. */
    fileContentChanged: { readonly jobs: Services['jobs']; readonly itemId: number }
  }
}

interface Named {
  readonly name: string
  readonly extension: string
}
/** Name and extension from the form, or else from the file's name, without any path. */
function namesOf(file: UploadedFile, fields: UploadFields): Named {
  const ofFile = partsOf(file.fileName)
  return {
    name: fields.name?.trim() ? cleanName(fields.name) : ofFile.name,
    extension: fields.extension?.trim() ? cleanName(fields.extension).replace(/^\.+/, '') : ofFile.extension,
  }
}

/** Facts of uploaded bytes. */
interface Content {
  readonly blob: StoredBlob
  readonly type: string
}

/**
 * Adds an uploaded file, or a new version of the file of the same name. Its type is detected before
 * the transaction.
 * @throws Refusal 400, 404, 409, 415
 */
export async function uploadFile(
  { blobs, attempts, jobs }: Services,
  file: UploadedFile,
  fields: UploadFields,
  { caller, transaction, replyTransaction }: OutsideTransactionContext,
): Promise<StorageItem | Refusal> {
  // In its own transaction, so that refused uploads count as well.
  const tooOften = await transaction((db, { id }) => attempts.takeUpload(db, id))
  if (tooOften) return tooOften
  const named = namesOf(file, fields)
  // Cut, it could be the name of another file, of which this would become a version.
  demand(named.name.length <= SHORT_TEXT_MAX, 400, tooLong(SHORT_TEXT_MAX))
  demand(isAllowedExtension(named.extension, caller.config.allowedFileExtensions), 415, FORMAT_NOT_SUPPORTED)
  demand(file.size > 0, 400, FILE_EMPTY)
  const blob: StoredBlob = { id: file.blobId, size: file.size, sha256: file.sha256 }
  const type = await contentTypeOf(blobSource(blobs, caller.organisation.id, blob), named.extension)
  if (!type) throw new Refusal(415, FORMAT_NOT_SUPPORTED)
  const place = { ...named, parentFolderId: fields.parentFolderId, onConflict: fields.onConflict }
  return replyTransaction(async (db, by) => {
    const item = await placeFile(jobs, db, by, place, { blob, type })
    await noteUse(db, by, item)
    return item
  })
}

export interface NewFile extends Named {
  readonly parentFolderId: number
  readonly onConflict: OnConflict
}
interface Place {
  /** Null for the root. */
  readonly folder: ItemRow | null
  /** The file that gets a new version. */
  readonly known: ItemRow | undefined
  readonly named: Named
}
/**
 * Checks that a folder can receive a file: it takes new items, and the name is free or may be treated as chosen.
 * @throws Refusal 404, 409
 */
export async function openedPlace(db: OrgDb, viewer: Viewer, place: NewFile): Promise<Place> {
  const folder = await openedFolder(db, viewer, place.parentFolderId)
  demandOpenToNew(folder)
  const parentId = folder?.id ?? ROOT
  const [known] = await listNamed(db, parentId, [place], viewer.hidden)
  if (!known) return { folder, known, named: place }
  if (place.onConflict === 'keepBoth')
    return { folder, known: undefined, named: await freeName(db, viewer, parentId, place) }
  if (place.onConflict === 'refuse') throw wrongField('name', NAME_TAKEN, 409)
  demandReplaceable(viewer, known)
  return { folder, known, named: place }
}

interface Placing {
  /** Bytes that the quota includes already. */
  readonly counted?: number
  /** Creator of a new file; by default the viewer. */
  readonly createdBy?: string
}
/**
 * Creates a file from stored bytes, or a new version of the file of the same name.
 * @throws Refusal 404, 409
 */
export async function placeFile(
  jobs: Services['jobs'],
  db: OrgDb,
  by: Acting & Pick<Caller, 'config'>,
  place: NewFile,
  content: Content,
  { counted = 0, createdBy = by.name }: Placing = {},
): Promise<StorageItem> {
  const viewer = await changing(db, by)
  const { folder, known, named } = await openedPlace(db, viewer, place)
  const { blob } = content
  const quota = by.config.fileQuotaMegabytes * MEGABYTE
  demand((await keptBytes(db)) + blob.size - counted <= quota, 409, NO_ROOM_FOR_FILE)
  await keepBlob(db, blob)
  const id = known
    ? await addVersion(db, viewer, known, { ...content, extension: known.extension })
    : await addFile(db, folder, named, content, createdBy)
  await runHook(db, 'fileContentChanged', { jobs, itemId: id })
  return toItem(viewer, (await findItem(db, id))!)
}

/** @throws Refusal 409 where the item of that name is a folder, somebody else's, or on legal hold */
export function demandReplaceable(viewer: Viewer, known: ItemRow): void {
  demand(known.holds === 0, 409, ON_LEGAL_HOLD)
  const { isEditable } = toItem(viewer, known)
  if (known.isFolder || !isEditable) throw wrongField('name', NAME_TAKEN, 409)
}

/** Stores a file with its first content and records an event. */
export async function addFile(
  db: OrgDb,
  folder: ItemRow | null,
  named: Named,
  { blob, type }: Content,
  createdBy: string,
): Promise<number> {
  const at = clock.timestamp()
  const { name, extension } = named
  const id = await insertItem(db, {
    name,
    extension,
    isFolder: false,
    parentFolderId: folder?.id ?? ROOT,
    path: pathIn(folder),
    folderType: 'PUBLIC',
    size: blob.size,
    type,
    sha256: blob.sha256,
    createdBy,
    at,
  })
  await insertVersion(db, {
    item_id: id,
    file_version: 1,
    blob_id: blob.id,
    type,
    extension,
    created_by: createdBy,
    create_timestamp: at,
  })
  recordItem(db, { id, name, extension }, 'added', contentChanges(null, (await findItem(db, id))!))
  return id
}

/** Adds a content as the newest version of a file and records an event. */
async function addVersion(
  db: OrgDb,
  viewer: Viewer,
  row: ItemRow,
  { blob, type, extension }: Content & { readonly extension: string },
  verb: 'version added' | 'version restored' = 'version added',
): Promise<number> {
  const at = clock.timestamp()
  const fileVersion = row.fileVersion + 1
  await insertVersion(db, {
    item_id: row.id,
    file_version: fileVersion,
    blob_id: blob.id,
    type,
    extension,
    created_by: viewer.email,
    create_timestamp: at,
  })
  await updateItem(db, row.id, { size: blob.size, type, sha256: blob.sha256, file_version: fileVersion }, at)
  recordItem(db, row, verb, contentChanges(row, (await findItem(db, row.id))!))
  return row.id
}

/**
 * A content of a file.
 * @throws Refusal 404
 */
async function openedVersion(db: OrgDb, row: ItemRow, fileVersion: number): Promise<VersionRow> {
  const version = await findVersion(db, row.id, fileVersion)
  if (!version) throw notFound('This version')
  return version
}

/**
 * A file that the caller may open, with one of its contents, by default the newest.
 * @throws Refusal 404
 */
export async function openedContent(
  db: OrgDb,
  by: Acting,
  id: number,
  fileVersion?: number,
): Promise<{ row: ItemRow; version: VersionRow }> {
  const row = await openedFile(db, await viewerOf(db, by), id)
  return { row, version: await openedVersion(db, row, fileVersion ?? row.fileVersion) }
}

/** Restores an earlier version as the newest one. */
export async function restoreVersion(
  { jobs }: Pick<Services, 'jobs'>,
  db: OrgDb,
  by: Acting,
  id: number,
  fileVersion: number,
): Promise<StorageItem> {
  const viewer = await changing(db, by)
  const row = await openedFile(db, viewer, id)
  const version = await openedVersion(db, row, fileVersion)
  demandEditable(viewer, row)
  if (fileVersion !== row.fileVersion) {
    await addVersion(db, viewer, row, version, 'version restored')
    await runHook(db, 'fileContentChanged', { jobs, itemId: id })
  }
  return toItem(viewer, (await findItem(db, id))!)
}
