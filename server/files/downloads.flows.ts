import type { IncomingHttpHeaders } from 'node:http'

import { DOWNLOAD_OVER, type DownloadTicket } from '#contract/files/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { FileReply } from '#server/kit/http/answers.ts'
import { demand } from '#server/kit/core/refusal.ts'
import type { Caller, OutsideTransactionContext } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { recordItem, viewerOf } from './access.flows.ts'
import { archiveOf, chosenItems } from './archive.flows.ts'
import { noteUse } from './marks.flows.ts'
import type { ItemRow } from './store.ts'
import { issueDownload, issueTicket, resumableReply, savedBody } from './tickets.flows.ts'
import {
  type ArchiveTicket,
  type FileTicket,
  countOpening,
  type Opening,
  type StoredTicket,
} from './tickets.store.ts'
import { openedContent } from './upload.flows.ts'
import type { VersionRow } from './versions.store.ts'

type Owner = Pick<Caller, 'organisation'>

/** A content of a file, as a download. */
const savedFile = (services: Services, by: Owner, row: ItemRow, version: VersionRow) => ({
  name: wholeName({ name: row.name, extension: version.extension }),
  type: version.type,
  size: version.size,
  body: savedBody(services, by, version.blob),
})

const recordDownload = (
  db: OrgDb,
  row: ItemRow,
  fileVersion?: number,
  verb: 'downloaded' | 'download resumed' = 'downloaded',
): void =>
  recordItem(db, row, verb, fileVersion === undefined ? {} : { fileVersion: { from: null, to: fileVersion } })

/** A content of a file as a download, by default the newest. */
export async function fileAt(
  services: Services,
  db: OrgDb,
  by: Caller,
  id: number,
  fileVersion?: number,
): Promise<FileReply> {
  const { row, version } = await openedContent(db, by, id, fileVersion)
  recordDownload(db, row, fileVersion)
  await noteUse(db, by, row)
  return savedFile(services, by, row, version)
}

/** A ticket to download a content of a file, by default the newest. */
export const downloadOf = (
  services: Services,
  id: number,
  fileVersion: number | undefined,
  context: OutsideTransactionContext,
): Promise<DownloadTicket> =>
  issueDownload(services, context, async (db, by) => {
    const { version } = await openedContent(db, by, id, fileVersion)
    const purpose = fileVersion === undefined ? 'download' : 'version'
    // Ties resumed ranges to this version, so that a newer one is not mixed in.
    return { ticket: { purpose, itemId: id, fileVersion: version.fileVersion }, blob: version.blob }
  })

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

/**
 * The file or archive behind a ticket of `downloadOf` or `archiveTicketOf`: once whole, afterwards only the rest of a
 * file, for a resumed download.
 * @throws Refusal 404, 410, 416
 */
export async function downloadedFile(
  services: Services,
  db: OrgDb,
  caller: Caller,
  { hash, ticket }: Pick<StoredTicket<FileTicket | ArchiveTicket>, 'hash' | 'ticket'>,
  headers: IncomingHttpHeaders,
): Promise<FileReply> {
  const opening = await countOpening(db, hash)
  if (ticket.purpose !== 'archive')
    return resumableFile(services, db, caller, { hash, ticket }, { opening, headers })
  demand(opening.isFirst, 410, DOWNLOAD_OVER)
  return archiveOf(services, db, caller, ticket.itemIds)
}

async function resumableFile(
  services: Services,
  db: OrgDb,
  caller: Caller,
  { hash, ticket }: Pick<StoredTicket<FileTicket>, 'hash' | 'ticket'>,
  request: { readonly opening: Opening; readonly headers: IncomingHttpHeaders },
): Promise<FileReply> {
  const { purpose, itemId, fileVersion } = ticket
  const { row, version } = await openedContent(db, caller, itemId, fileVersion)
  const file = savedFile(services, caller, row, version)
  const reply = resumableReply(services, caller, { hash }, { file, ...request })
  const isNewest = purpose === 'download' && fileVersion === row.fileVersion
  const verb = request.opening.isFirst ? 'downloaded' : 'download resumed'
  recordDownload(db, row, isNewest ? undefined : fileVersion, verb)
  if (request.opening.isFirst) await noteUse(db, caller, row)
  return reply
}
