import type { IncomingHttpHeaders } from 'node:http'

import { BAD_FILE, type MessageAttachment } from '#contract/chat/schema.ts'
import { NO_ROOM } from '#contract/attachments/schema.ts'
import type { DownloadTicket } from '#contract/files/schema.ts'
import { FILE_EMPTY, isAllowedExtension, MEGABYTE, partsOf, wholeName } from '#contract/kit/files.ts'
import { attachedContent, issueDownload, savedBody } from '#server/files/tickets.flows.ts'
import { keepBlob, keptBytes, blobSource, type StoredBlob } from '#server/kit/blobs/blobs.ts'
import { viewedReply } from '#server/kit/http/viewed-reply.ts'
import { contentTypeOf } from '#server/kit/blobs/file-kinds.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { FileReply, Page } from '#server/kit/http/answers.ts'
import { demand, notFound, Refusal } from '#server/kit/core/refusal.ts'
import type { Caller, OutsideTransactionContext, UploadedFile } from '#server/kit/http/serve.ts'
import { shortName } from '#server/kit/http/uploads.ts'
import type { Services } from '#server/kit/services.ts'

import { countUnsent, deleteFiles, findFile, insertFile, listSentFiles } from './files.store.ts'
import { toAttachment } from './messages.store.ts'
import { type Acting, openedRoom } from './rooms.flows.ts'
import { findRoom } from './rooms.store.ts'

const FILE = 'This file'
/** Uploaded and unsent files per person. */
const UNSENT_MAX = 100

/**
 * Stores an uploaded file until its sender attaches it to a message. Its type is detected from its first bytes before
 * the transaction.
 * @throws Refusal 409 for a full storage, 415 for a forbidden type or one that does not match the content
 */
export async function uploadFile(
  { blobs, attempts }: Services,
  file: UploadedFile,
  { caller, transaction, replyTransaction }: OutsideTransactionContext,
): Promise<MessageAttachment | Refusal> {
  // In its own transaction, so that refused uploads count as well.
  const tooOften = await transaction((db, { id }) => attempts.takeUpload(db, id))
  if (tooOften) return tooOften
  const { name, extension } = partsOf(shortName(file.fileName))
  demand(isAllowedExtension(extension, caller.config.allowedFileExtensions), 415, BAD_FILE)
  demand(file.size > 0, 400, FILE_EMPTY)
  const blob: StoredBlob = { id: file.blobId, size: file.size, sha256: file.sha256 }
  const type = await contentTypeOf(blobSource(blobs, caller.organisation.id, blob), extension)
  if (!type) throw new Refusal(415, BAD_FILE)
  return replyTransaction(async (db, by) => {
    demand(
      (await countUnsent(db, by.id)) < UNSENT_MAX,
      409,
      'Please send or remove the files that you uploaded.',
    )
    const quota = by.config.fileQuotaMegabytes * MEGABYTE
    demand((await keptBytes(db)) + blob.size <= quota, 409, NO_ROOM)
    await keepBlob(db, blob)
    const id = crypto.randomUUID()
    const at = clock.timestamp()
    await insertFile(db, {
      id,
      blob_id: blob.id,
      name,
      extension,
      type,
      created_by: by.id,
      create_timestamp: at,
    })
    return toAttachment({ id, name, extension, type, size: blob.size, at })
  })
}

/** A file that the caller may see: sent in one of their rooms, or uploaded by them and unsent. */
async function openedFile(db: OrgDb, by: Pick<Acting, 'id'>, id: string) {
  const file = await findFile(db, id)
  const isVisible =
    file && (file.room_id === null ? file.created_by === by.id : await findRoom(db, by.id, file.room_id))
  if (!isVisible) throw notFound(FILE)
  return file
}

export async function fileInfo(db: OrgDb, by: Acting, id: string) {
  const file = await openedFile(db, by, id)
  return { nameWithExtension: wholeName(file), extension: file.extension }
}

/** The bytes of a file, read once the transaction has ended. They may be gone by then. */
export async function fileAt(
  services: Services,
  db: OrgDb,
  by: Caller,
  id: string,
  { shown = false, page }: { readonly shown?: boolean | undefined; readonly page: number },
): Promise<FileReply> {
  const file = await openedFile(db, by, id)
  const { name, type, blob } = savedFile(file)
  const reply = { name, type, size: blob.size, body: savedBody(services, by, blob) }
  return shown ? viewedReply(reply, { extension: file.extension, page, settings: services.settings }) : reply
}

const savedFile = (file: NonNullable<Awaited<ReturnType<typeof findFile>>>) => ({
  name: wholeName(file),
  type: file.type,
  blob: { id: file.blob_id, size: file.size, sha256: file.sha256 } satisfies StoredBlob,
})

/** A ticket to download a file. */
export const fileTicketOf = (
  services: Services,
  id: string,
  context: OutsideTransactionContext,
): Promise<DownloadTicket> =>
  issueDownload(services, context, async (db, by) => ({
    ticket: { purpose: 'message', id },
    blob: savedFile(await openedFile(db, by, id)).blob,
  }))

/** The file behind a ticket of `fileTicketOf`. */
export const fileContentAt = (
  services: Services,
  token: string,
  headers: IncomingHttpHeaders,
): Promise<FileReply> =>
  attachedContent(services, 'message', { token, headers }, async (db, by, id) =>
    savedFile(await openedFile(db, by, id)),
  )

/** Deletes an unsent file. */
export async function removeFile({ blobs }: Services, db: OrgDb, by: Acting, id: string): Promise<void> {
  const file = await openedFile(db, by, id)
  demand(file.room_id === null, 409, 'This file was sent. Please edit or delete its message.')
  await deleteFiles(db, blobs, [id])
}

interface FileQuery {
  readonly filter?: { readonly q?: string | undefined } | undefined
  readonly range?: readonly [number, number] | undefined
  readonly sort?: readonly [string, string] | undefined
}
/** The files that were sent in a room, newest first. */
export async function filesOfRoom(
  db: OrgDb,
  by: Acting,
  roomId: string,
  { filter, range, sort }: FileQuery,
): Promise<Page<MessageAttachment & { messageId: string; messageSequence: number; user: string }>> {
  await openedRoom(db, by, roomId)
  const { rows, total } = await listSentFiles(db, roomId, {
    q: filter?.q,
    range,
    isOldestFirst: sort?.[1] === 'ASC',
  })
  const files = rows.map((row) => ({
    ...toAttachment(row),
    messageId: row.message_id,
    messageSequence: row.message_sequence,
    user: row.user_id,
  }))
  return { rows: files, total }
}
