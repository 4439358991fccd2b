import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

import type * as z from 'zod/mini'

import {
  FILE_EMPTY,
  FORMAT_NOT_SUPPORTED,
  isAllowedExtension,
  MEGABYTE,
  partsOf,
  tooManyFiles,
} from '#contract/kit/files.ts'
import {
  type InterruptedUpload,
  type NewUpload,
  NO_ROOM_FOR_FILE,
  OFFSET_CONFLICT,
  OTHER_LENGTH,
  type PartHeaders,
  RESUMABLE_HOURS,
  TUS_VERSION,
  UPLOAD_PART,
  UPLOAD_STOPPED,
  type UploadState,
  WRONG_OFFSET,
  WRONG_TUS_VERSION,
} from '#contract/files/schema.ts'
import {
  type Blobs,
  dropBlob,
  keepBlob,
  keptBytes,
  blobSource,
  type StoredBlob,
  tooLarge,
} from '#server/kit/blobs/blobs.ts'
import type { Source } from '#server/kit/blobs/detect.ts'
import { contentTypeOf } from '#server/kit/blobs/file-kinds.ts'
import { clock, HOUR } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { BodyParts } from '#server/kit/http/parts.ts'
import { demand, notFound, Refusal } from '#server/kit/core/refusal.ts'
import type { Caller, OutsideTransactionContext } from '#server/kit/http/serve.ts'
import { cleanName } from '#server/kit/http/uploads.ts'
import type { Services } from '#server/kit/services.ts'

import { type Acting, changing, openedFolder, pathIn, type Viewer, viewerOf } from './access.flows.ts'
import { placesOf } from './flows.ts'
import { noteUse } from './marks.flows.ts'
import {
  deleteParts,
  deleteUpload,
  findUpload,
  holdUpload,
  insertPart,
  insertUpload,
  listOpenUploads,
  listParts,
  sumMissingBytes,
  updateProgress,
  type UploadRow,
} from './parts.store.ts'
import { openedPlace, placeFile } from './upload.flows.ts'

const expiry = () => new Date(clock.now() + RESUMABLE_HOURS * HOUR).toISOString()
const unknownUpload = () => notFound('This upload')
const wrongOffset = () => new Refusal(409, WRONG_OFFSET, { code: OFFSET_CONFLICT })

/** @throws Refusal 412 */
const demandVersion = (headers: { readonly 'tus-resumable'?: string | undefined }): void =>
  demand(headers['tus-resumable'] === TUS_VERSION, 412, WRONG_TUS_VERSION)

/** An upload of the caller; other people's uploads do not exist for them. */
async function openedUpload(db: OrgDb, by: Acting, id: string): Promise<UploadRow> {
  const row = await findUpload(db, by.id, id)
  if (!row) throw unknownUpload()
  return row
}
export const uploadStateOf = openedUpload

async function stepsOf(db: OrgDb, viewer: Viewer, folderId: number): Promise<InterruptedUpload['path']> {
  try {
    const path = pathIn(await openedFolder(db, viewer, folderId))
    return (await placesOf(db, [{ path }]))[0]!
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** The caller's uploads that can be resumed, oldest first. */
export async function interruptedUploads(db: OrgDb, by: Acting): Promise<InterruptedUpload[]> {
  const viewer = await viewerOf(db, by)
  const found: InterruptedUpload[] = []
  for (const row of await listOpenUploads(db, by.id))
    found.push({ ...row, path: await stepsOf(db, viewer, row.parentFolderId) })
  return found
}

/**
 * Begins an upload in parts. Its full size counts in the quota from now on.
 * @throws Refusal 400, 404, 409, 412, 413, 415
 */
export async function beginUpload(
  { attempts }: Services,
  db: OrgDb,
  by: Caller,
  headers: z.output<typeof NewUpload>,
): Promise<UploadState | Refusal> {
  demandVersion(headers)
  const tooOften = await attempts.takeUpload(db, by.id)
  if (tooOften) return tooOften
  const { filename, parentFolderId, lastModified, onConflict } = headers['upload-metadata']
  const length = headers['upload-length']
  const named = partsOf(cleanName(filename))
  const { allowedFileExtensions, maxFileSize, maxFileUploadsAtOnce, fileQuotaMegabytes } = by.config
  demand(isAllowedExtension(named.extension, allowedFileExtensions), 415, FORMAT_NOT_SUPPORTED)
  demand(length > 0, 400, FILE_EMPTY)
  if (length > maxFileSize * MEGABYTE) throw tooLarge(maxFileSize * MEGABYTE)
  const viewer = await changing(db, by)
  await openedPlace(db, viewer, { ...named, parentFolderId, onConflict })
  const open = await listOpenUploads(db, by.id)
  demand(open.length < maxFileUploadsAtOnce, 409, tooManyFiles(maxFileUploadsAtOnce))
  const taken = (await keptBytes(db)) + (await sumMissingBytes(db))
  demand(taken + length <= fileQuotaMegabytes * MEGABYTE, 409, NO_ROOM_FOR_FILE)
  const at = clock.timestamp()
  const id = await insertUpload(db, {
    ...named,
    user_id: by.id,
    parent_id: parentFolderId,
    last_modified: lastModified ?? null,
    on_conflict: onConflict,
    length,
    create_timestamp: at,
    update_timestamp: at,
    expires_timestamp: expiry(),
  })
  return openedUpload(db, by, id)
}

interface Sent {
  readonly id: string
  readonly headers: z.output<typeof PartHeaders>
  readonly bytes: IncomingMessage
}

/**
 * Adds bytes to an upload. Each part is encrypted separately and is final once the offset includes it; the last part
 * completes the file. Bytes that arrive before the sender breaks off are kept.
 * @throws Refusal 404, 408, 409, 412, 413, 415
 */
export async function continueUpload(
  services: Services,
  { id, headers, bytes }: Sent,
  context: OutsideTransactionContext,
): Promise<UploadState> {
  demandVersion(headers)
  const { caller, transaction } = context
  let upload = await transaction((db, by) => openedUpload(db, by, id))
  if (headers['upload-offset'] !== upload.offset) throw wrongOffset()
  const announced = Number(bytes.headers['content-length'] ?? 0)
  demand(announced <= upload.length - upload.offset, 413, OTHER_LENGTH)
  const parts = new BodyParts(bytes)
  try {
    while (upload.offset < upload.length && (await parts.hasMore())) {
      const part = await services.blobs.write(
        caller.organisation.id,
        parts.next(Math.min(UPLOAD_PART, upload.length - upload.offset)),
      )
      upload = await addPart(services, upload, part, context)
    }
  } finally {
    parts.close()
  }
  // The sender may be gone, but a proxy may still read the response.
  demand(!parts.isBroken, 408, UPLOAD_STOPPED)
  return upload
}

/** Adds a stored part to an upload, or deletes its bytes on failure. */
async function addPart(
  services: Services,
  upload: UploadRow,
  part: StoredBlob,
  context: OutsideTransactionContext,
): Promise<UploadRow> {
  const { caller, transaction } = context
  const isLast = upload.offset + part.size === upload.length
  try {
    if (isLast) return await completeUpload(services, upload, part, context)
    if (upload.offset === 0) await demandKindSoFar(services, upload, part, context)
    return await transaction(async (db) => {
      await heldAt(db, caller, upload)
      await keepBlob(db, part)
      await insertPart(db, { upload_id: upload.id, start: upload.offset, blob_id: part.id })
      const received = upload.offset + part.size
      await updateProgress(db, upload.id, { received, expires: expiry() })
      return openedUpload(db, caller, upload.id)
    })
  } catch (error) {
    await services.blobs.remove(caller.organisation.id, part.id)
    throw error
  }
}

/**
 * @throws Refusal 409 where another part was stored at this offset first, 404 where the upload was cancelled meanwhile
 */
async function heldAt(db: OrgDb, by: Acting, { id, offset }: UploadRow): Promise<void> {
  const row = await holdUpload(db, by.id, id)
  if (!row) throw unknownUpload()
  if (row.offset !== offset) throw wrongOffset()
}

/**
 * The content type of an upload.
 * @throws Refusal 415 and cancels the upload where the content does not match the name
 */
async function demandKind(
  services: Services,
  upload: UploadRow,
  source: Source,
  context: OutsideTransactionContext,
): Promise<string> {
  const type = await contentTypeOf(source, upload.extension)
  return type ?? refuseKind(services, upload, context)
}

async function refuseKind(
  services: Services,
  { id }: UploadRow,
  { transaction }: OutsideTransactionContext,
): Promise<never> {
  await transaction((db) => dropUpload(services, db, id))
  throw new Refusal(415, FORMAT_NOT_SUPPORTED)
}

/**
 * Refuses a file whose first part shows already that it is not what its name says, so that nobody sends the rest of it.
 * @throws Refusal 415, having given the upload up
 */
async function demandKindSoFar(
  services: Services,
  upload: UploadRow,
  part: StoredBlob,
  context: OutsideTransactionContext,
): Promise<void> {
  const sent = blobSource(services.blobs, context.caller.organisation.id, part)
  let isUndecided = false
  const source: Source = {
    size: upload.length,
    read: (from, to) => {
      if (to > part.size) isUndecided = true
      return sent.read(Math.min(from, part.size), Math.min(to, part.size))
    },
  }
  const type = await contentTypeOf(source, upload.extension)
  if (type === undefined && !isUndecided) await refuseKind(services, upload, context)
}

/** The bytes of parts, one after the other. */
async function* joined(
  blobs: Blobs,
  organisationId: string,
  parts: readonly StoredBlob[],
): AsyncGenerator<Buffer> {
  for (const part of parts) yield* (await blobs.read(organisationId, part)) as AsyncIterable<Buffer>
}

/** Creates the file of an upload whose last part has arrived. A single part becomes the file without a copy. */
async function completeUpload(
  services: Services,
  upload: UploadRow,
  last: StoredBlob,
  context: OutsideTransactionContext,
): Promise<UploadRow> {
  const { blobs } = services
  const { caller, transaction } = context
  const organisationId = caller.organisation.id
  const before = await transaction((db) => listParts(db, upload.id))
  const isOne = before.length === 0
  const blob = isOne
    ? last
    : await blobs.write(organisationId, Readable.from(joined(blobs, organisationId, [...before, last])))
  try {
    if (blob.size !== upload.length) throw wrongOffset()
    const type = await demandKind(services, upload, blobSource(blobs, organisationId, blob), context)
    const done = await transaction(async (db, by) => {
      await heldAt(db, by, upload)
      const item = await placeFile(services.jobs, db, by, upload, { blob, type }, { counted: upload.offset })
      await noteUse(db, by, item)
      for (const part of await deleteParts(db, upload.id)) await dropBlob(db, blobs, part)
      await updateProgress(db, upload.id, { received: upload.length, expires: expiry(), item })
      return openedUpload(db, by, upload.id)
    })
    // A sweep removes bytes that remain.
    if (!isOne) void blobs.remove(organisationId, last.id).catch(() => {})
    return done
  } catch (error) {
    if (!isOne) await blobs.remove(organisationId, blob.id)
    throw error
  }
}

async function dropUpload({ blobs }: Services, db: OrgDb, id: string): Promise<void> {
  for (const part of await deleteParts(db, id)) await dropBlob(db, blobs, part)
  await deleteUpload(db, id)
}

/**
 * Cancels an upload and deletes its parts. The file of a completed one stays.
 * @throws Refusal 404
 */
export async function endUpload(services: Services, db: OrgDb, by: Acting, id: string): Promise<void> {
  const row = await holdUpload(db, by.id, id)
  if (!row) throw unknownUpload()
  await dropUpload(services, db, id)
}
