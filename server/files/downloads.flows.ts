import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

import { DOWNLOAD_OVER, type DownloadTicket } from '#contract/files/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { headOf } from '#server/kit/blobs/blobs.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { type FileReply, type Part, partOf } from '#server/kit/http/answers.ts'
import { demand, notFound } from '#server/kit/http/refusal.ts'
import type { Caller, OutsideTransactionContext } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { recordItem, viewerOf } from './access.flows.ts'
import { archiveOf, chosenItems } from './archive.flows.ts'
import type { ItemRow } from './store.ts'
import { issueTicket } from './tickets.flows.ts'
import { type FileTicket, type StoredTicket, updateUsed } from './tickets.store.ts'
import { openedContent } from './upload.flows.ts'
import type { VersionRow } from './versions.store.ts'

type Owner = Pick<Caller, 'organisation'>

const goneMeanwhile = (error: NodeJS.ErrnoException): never => {
  throw error.code === 'ENOENT' ? notFound('This file') : error
}

/** Reads a content of a file once the transaction has ended; it may be gone by then. */
export const contentOf =
  ({ blobs }: Pick<Services, 'blobs'>, { organisation }: Owner, { blob }: Pick<VersionRow, 'blob'>) =>
  (part?: Part): Promise<Readable> =>
    blobs.read(organisation.id, blob, part).catch(goneMeanwhile)

/** A content of a file, to be saved. */
const savedFile = (services: Services, by: Owner, row: ItemRow, version: VersionRow): FileReply => ({
  name: wholeName({ name: row.name, extension: version.extension }),
  type: version.type,
  size: version.size,
  body: contentOf(services, by, version),
})

const recordDownload = (db: OrgDb, row: ItemRow, fileVersion?: number): void =>
  recordItem(
    db,
    row,
    'downloaded',
    fileVersion === undefined ? {} : { fileVersion: { from: null, to: fileVersion } },
  )

/** A content of a file to be saved, the newest unless said. */
export async function fileAt(
  services: Services,
  db: OrgDb,
  by: Caller,
  id: number,
  fileVersion?: number,
): Promise<FileReply> {
  const { row, version } = await openedContent(db, by, id, fileVersion)
  recordDownload(db, row, fileVersion)
  return savedFile(services, by, row, version)
}

/** A ticket to download a content of a file, the newest unless said. */
export async function downloadOf(
  services: Services,
  id: number,
  fileVersion: number | undefined,
  { caller, transaction }: OutsideTransactionContext,
): Promise<DownloadTicket> {
  const { issued, blob } = await transaction(async (db, by) => {
    const { version } = await openedContent(db, by, id, fileVersion)
    const purpose = fileVersion === undefined ? 'download' : 'version'
    // Parts of one download belong together, so that a version that comes meanwhile is not it.
    const ticket = { purpose, itemId: id, fileVersion: version.fileVersion } as const
    return { issued: await issueTicket(db, by, ticket), blob: version.blob }
  })
  // What is missing or damaged is said here: a browser that follows the address shows no reasons.
  await headOf(services.blobs, caller.organisation.id, blob, 1).catch(goneMeanwhile)
  return issued
}

/** A ticket to download files and folders as one ZIP file. */
export async function archiveTicketOf(
  db: OrgDb,
  caller: Caller,
  ids: readonly number[],
): Promise<DownloadTicket> {
  const itemIds = [...new Set(ids)]
  await chosenItems(db, await viewerOf(db, caller), itemIds)
  return issueTicket(db, caller, { purpose: 'archive', itemIds })
}

/** The header `Range`, unless `If-Range` names another content: the whole file is asked for then (RFC 9110 §13.1.5). */
const rangeOf = (headers: IncomingHttpHeaders, etag: string): string | undefined =>
  [undefined, etag].includes(headers['if-range'] as string | undefined) ? headers.range : undefined

/**
 * The file or archive behind a ticket of `downloadOf` or `archiveTicketOf`: once, and after that the rest of a file, which
 * resumes the download.
 * @throws Refusal 404, 410, 416
 */
export async function downloadedFile(
  services: Services,
  db: OrgDb,
  caller: Caller,
  { hash, ticket }: Pick<StoredTicket, 'hash' | 'ticket'>,
  headers: IncomingHttpHeaders,
): Promise<FileReply> {
  const isFirst = await updateUsed(db, hash)
  if (ticket.purpose !== 'archive') return resumableFile(services, db, caller, ticket, { isFirst, headers })
  demand(isFirst, 410, DOWNLOAD_OVER)
  return archiveOf(services, db, caller, ticket.itemIds)
}

async function resumableFile(
  services: Services,
  db: OrgDb,
  caller: Caller,
  { purpose, itemId, fileVersion }: FileTicket,
  { isFirst, headers }: { readonly isFirst: boolean; readonly headers: IncomingHttpHeaders },
): Promise<FileReply> {
  const { row, version } = await openedContent(db, caller, itemId, fileVersion)
  const etag = `"${version.sha256}"`
  const range = rangeOf(headers, etag)
  const part = partOf(range, version.size)
  demand(isFirst || (part !== null && part.from > 0), 410, DOWNLOAD_OVER)
  if (isFirst) {
    const isNewest = purpose === 'download' && fileVersion === row.fileVersion
    recordDownload(db, row, isNewest ? undefined : fileVersion)
  }
  return { ...savedFile(services, caller, row, version), parts: { range }, etag }
}
