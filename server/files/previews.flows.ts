import { buffer } from 'node:stream/consumers'

import { filesAccess } from '#contract/files/access.ts'
import { canPreview } from '#contract/files/rules.ts'
import { CANNOT_PREVIEW, type PreviewTicket } from '#contract/files/schema.ts'
import { allows, needsVerification } from '#contract/kit/access.ts'
import { isConverted, wholeName } from '#contract/kit/files.ts'
import { CONVERTED_MAX, VIEWED_TYPE, viewableImage } from '#server/kit/blobs/images.ts'
import { clock, MINUTE } from '#server/kit/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { FileReply } from '#server/kit/http/answers.ts'
import { demand, FORBIDDEN, notFound } from '#server/kit/http/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { openToken, sealToken } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'
import { sessionCredentialOf } from '#server/sessions/flows.ts'
import { requireVerification } from '#server/verifications/flows.ts'

import { openedFile, recordItem, viewerOf } from './access.flows.ts'
import { findPreview, insertPreview, updateUsed } from './previews.store.ts'
import { openedVersion } from './upload.flows.ts'
import type { VersionRow } from './versions.store.ts'

const TICKET = 'pv'
const TICKET_LIFE = 5 * MINUTE
const PREVIEW = 'This preview'

/** The content type under which a file is shown. */
function viewedTypeOf({ extension, type }: Pick<VersionRow, 'extension' | 'type'>): string {
  const format = extension.toLowerCase()
  if (isConverted(format)) return VIEWED_TYPE
  // Browsers play what they find in it, unless the type is one that they have never heard of.
  if (format === 'mov') return 'video/mp4'
  return format === 'txt' ? 'text/plain; charset=utf-8' : type
}

/** A ticket to see a content of a file, the newest unless said. */
export async function previewOf(
  db: OrgDb,
  caller: Caller,
  id: number,
  fileVersion?: number,
): Promise<PreviewTicket> {
  const row = await openedFile(db, await viewerOf(db, caller), id)
  const version = await openedVersion(db, row, fileVersion ?? row.fileVersion)
  demand(canPreview(version), 415, CANNOT_PREVIEW)
  demand(!isConverted(version.extension) || version.size <= CONVERTED_MAX, 415, CANNOT_PREVIEW)
  const { token, hash } = sealToken(TICKET, caller.organisation.id)
  const expireTimestamp = new Date(clock.now() + TICKET_LIFE).toISOString()
  await insertPreview(db, {
    hash,
    session_id: caller.sessionId!,
    item_id: id,
    file_version: version.fileVersion,
    expires_timestamp: expireTimestamp,
  })
  return { path: `/sfs/content/${token}`, type: viewedTypeOf(version), expireTimestamp }
}

/**
 * The content behind a ticket. The session that got the ticket is proven again with each request, and so is its right to
 * the file.
 * @param range the header of the request
 * @throws Refusal 401, 403, 404
 */
export async function contentOf(
  services: Services,
  ticket: string,
  range: string | undefined,
): Promise<FileReply> {
  const opened = openToken(TICKET, ticket)
  if (!opened) throw notFound(PREVIEW)
  const { organisationId, hash } = opened
  const system = () => ({ kind: 'system', id: null, name: 'previews' }) as const
  const preview = await services.database.withOrganisation({ organisationId, actor: system }, (db) =>
    findPreview(db, hash),
  )
  if (!preview) throw notFound(PREVIEW)
  const asViewer = asSession(services, organisationId, preview.session_id)
  return asViewer(async (db, caller) => {
    const row = await openedFile(db, await viewerOf(db, caller), preview.item_id)
    const version = await openedVersion(db, row, preview.file_version)
    if (await updateUsed(db, hash)) {
      const isOld = version.fileVersion !== row.fileVersion
      recordItem(db, row, 'viewed', isOld ? { fileVersion: { from: null, to: version.fileVersion } } : {})
    }
    const name = wholeName({ name: row.name, extension: version.extension })
    return replyOf(services, organisationId, { ...version, name }, range)
  })
}

/** Works as the person of a session, who is proven as by a call of theirs. */
const asSession =
  ({ database }: Services, organisationId: string, sessionId: string) =>
  <T>(work: (db: OrgDb, caller: Caller) => Promise<T>): Promise<T> => {
    const credential = sessionCredentialOf({ organisationId, sessionId })
    let caller: Caller | undefined
    const actor = (row: unknown) => {
      caller = credential.caller(row)
      demand(allows(filesAccess.use, caller), 403, FORBIDDEN)
      return { kind: caller.kind, id: caller.id, name: caller.name }
    }
    return database.withOrganisation({ organisationId, lookup: credential.lookup, actor }, async (db) => {
      if (needsVerification(filesAccess.use, caller!)) await requireVerification(db, caller!)
      return work(db, caller!)
    })
  }

function replyOf(
  { blobs }: Services,
  organisationId: string,
  version: VersionRow & { readonly name: string },
  range: string | undefined,
): FileReply {
  const { name, blob, extension } = version
  const read = (part?: { from: number; to: number }) =>
    blobs.read(organisationId, blob, part).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? notFound('This file') : error
    })
  const shown = { name, type: viewedTypeOf(version), shown: { range } }
  if (isConverted(extension)) return { ...shown, body: async () => viewableImage(await buffer(await read())) }
  return { ...shown, size: blob.size, body: read }
}
