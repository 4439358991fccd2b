import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

import { attachmentsAccess } from '#contract/attachments/rules.ts'
import { chatAccess } from '#contract/chat/access.ts'
import { filesAccess } from '#contract/files/access.ts'
import { DOWNLOAD_OVER, type DownloadTicket } from '#contract/files/schema.ts'
import { type Access, allows, needsVerification } from '#contract/kit/access.ts'
import { blobSource, type StoredBlob } from '#server/kit/blobs/blobs.ts'
import { clock, MINUTE } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { type FileReply, type Part, partOf } from '#server/kit/http/answers.ts'
import { demand, FORBIDDEN, notFound } from '#server/kit/core/refusal.ts'
import type { Caller, OutsideTransactionContext } from '#server/kit/http/serve.ts'
import { openToken, sealToken } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'
import { sessionCredentialOf } from '#server/sessions/flows.ts'
import { requireVerification } from '#server/verifications/flows.ts'

import {
  countOpening,
  findTicket,
  insertTicket,
  type Opening,
  type StoredTicket,
  type Ticket,
  updateSent,
} from './tickets.store.ts'

/** Prefix of tickets. */
export const TICKET = 'pv'
interface Kind {
  /** Lifetime in milliseconds: players request ranges as long as they play, downloads begin at once. */
  readonly life: number
  /** Path of the endpoint that serves the content. */
  readonly path: string
  /** Access required to get and to open such a ticket. */
  readonly access: Access
}
const STORED: Kind = { life: MINUTE, path: '/sfs/content', access: filesAccess.use }
const KINDS: { readonly [purpose in Ticket['purpose']]: Kind } = {
  preview: { ...STORED, life: 5 * MINUTE },
  download: STORED,
  version: STORED,
  archive: STORED,
  attachment: { life: MINUTE, path: '/fa/content', access: attachmentsAccess.downloadTicket },
  message: { life: MINUTE, path: '/fe/content', access: chatAccess },
}

const system = () => ({ kind: 'system', id: null, name: 'tickets' }) as const

/**
 * An address that works for a while without headers: a credential for one content, of the caller's session or of a visit
 * by a link.
 */
export async function issueTicket(
  db: OrgDb,
  caller: Caller,
  ticket: Ticket,
  visit?: { readonly visitId: string; readonly path: string },
): Promise<{ path: string; expireTimestamp: string }> {
  const { life, path } = { ...KINDS[ticket.purpose], ...visit }
  const { token, hash } = sealToken(TICKET, caller.organisation.id)
  const expireTimestamp = new Date(clock.now() + life).toISOString()
  const holder = { sessionId: caller.sessionId, visitId: visit?.visitId ?? null }
  await insertTicket(db, { hash, ...holder, expireTimestamp, ticket })
  return { path: `${path}/${token}`, expireTimestamp }
}

/** Bytes can be deleted between the transaction that found their file and the read. */
const goneMeanwhile = (error: NodeJS.ErrnoException): never => {
  throw error.code === 'ENOENT' ? notFound('This file') : error
}

/** The bytes of a file, or a range of them, read once the transaction has ended. */
export const savedBody =
  (
    { blobs }: Pick<Services, 'blobs'>,
    { organisation }: { readonly organisation: { readonly id: string } },
    blob: StoredBlob,
  ) =>
  (part?: Part): Promise<Readable> =>
    blobs.read(organisation.id, blob, part).catch(goneMeanwhile)

/**
 * A ticket to download one file.
 * @param open finds the file and proves the right to it
 */
export async function issueDownload(
  { blobs }: Pick<Services, 'blobs'>,
  { caller, transaction }: OutsideTransactionContext,
  open: (db: OrgDb, by: Caller) => Promise<{ readonly ticket: Ticket; readonly blob: StoredBlob }>,
): Promise<DownloadTicket> {
  const { issued, blob } = await transaction(async (db, by) => {
    const { ticket, blob: found } = await open(db, by)
    return { issued: await issueTicket(db, by, ticket), blob: found }
  })
  // A missing or damaged file is refused here: a browser that follows the address shows no reasons.
  await blobSource(blobs, caller.organisation.id, blob).read(0, Math.min(1, blob.size)).catch(goneMeanwhile)
  return issued
}

type TicketFor<P extends Ticket['purpose']> = Extract<Ticket, { readonly purpose: P }>
const isFor = <P extends Ticket['purpose']>(
  stored: StoredTicket,
  purposes: readonly P[],
): stored is StoredTicket<TicketFor<P>> => (purposes as readonly string[]).includes(stored.ticket.purpose)

/**
 * The content behind a ticket of one of these purposes. Each request proves the session of the ticket again; `work`
 * proves the right to the file.
 * @throws Refusal 401, 403, 404, 410
 */
export async function openTicket<P extends Ticket['purpose']>(
  services: Services,
  token: string,
  purposes: readonly P[],
  work: (db: OrgDb, caller: Caller, stored: StoredTicket<TicketFor<P>>) => Promise<FileReply>,
): Promise<FileReply> {
  const opened = openToken(TICKET, token)
  if (!opened) throw notFound('This ticket')
  const { organisationId, hash } = opened
  const stored = await services.database.withOrganisation({ organisationId, actor: system }, (db) =>
    findTicket(db, hash),
  )
  if (!stored || stored.sessionId === null || !isFor(stored, purposes)) throw notFound('This ticket')
  if (Date.parse(stored.expireTimestamp) <= clock.now()) {
    demand(stored.ticket.purpose === 'preview', 410, DOWNLOAD_OVER)
    throw notFound('This preview')
  }
  const { access } = KINDS[stored.ticket.purpose]
  const inSession = asSession(services, { organisationId, sessionId: stored.sessionId, access })
  return inSession((db, caller) => work(db, caller, stored))
}

/** Bytes that may be sent but lost when a connection breaks: the buffers of both sides' systems. */
const IN_FLIGHT_MAX = 16 * 1024 * 1024

/**
 * The `Range` header; undefined when `If-Range` names another content, so that the whole file is sent (RFC 9110
 * §13.1.5).
 */
const rangeOf = (headers: IncomingHttpHeaders, etag: string): string | undefined =>
  [undefined, etag].includes(headers['if-range'] as string | undefined) ? headers.range : undefined

/** Resumed downloads send the ETag, Chromium in the first header and Firefox in the second. */
const resumes = (headers: IncomingHttpHeaders, etag: string): boolean =>
  headers['if-range'] === etag || headers['if-match'] === etag

interface Resumable {
  readonly file: FileReply & { readonly size: number }
  readonly opening: Opening
  readonly headers: IncomingHttpHeaders
}

/**
 * A download of a ticket: the whole file, once. Afterwards only the rest, for a client that proves with the ETag that
 * it has the beginning.
 * @throws Refusal 410, 416
 */
export function resumableReply(
  services: Services,
  { organisation }: { readonly organisation: { readonly id: string } },
  { hash }: { readonly hash: Buffer },
  { file, opening, headers }: Resumable,
): FileReply {
  const etag = `"${services.secrets.hash('download', hash.toString('hex'))}"`
  const range = rangeOf(headers, etag)
  const from = partOf(range, file.size)?.from ?? 0
  const isRest = from > 0 && from >= opening.sent - IN_FLIGHT_MAX && !opening.isComplete
  demand(opening.isFirst || (isRest && resumes(headers, etag)), 410, DOWNLOAD_OVER)
  const onSent = (bytes: number, isComplete: boolean) =>
    services.database.withOrganisation({ organisationId: organisation.id, actor: system }, (db) =>
      updateSent(db, hash, from + bytes, isComplete),
    )
  return { ...file, parts: { range }, etag, onSent }
}

/**
 * The file behind a ticket for an attachment.
 * @param open finds the file and proves the right to it again
 * @throws Refusal 401, 403, 404, 410, 416
 */
export const attachedContent = (
  services: Services,
  purpose: 'attachment' | 'message',
  { token, headers }: { readonly token: string; readonly headers: IncomingHttpHeaders },
  open: (
    db: OrgDb,
    caller: Caller,
    id: string,
  ) => Promise<{ readonly name: string; readonly type: string; readonly blob: StoredBlob }>,
): Promise<FileReply> =>
  openTicket(services, token, [purpose], async (db, caller, { hash, ticket }) => {
    const { name, type, blob } = await open(db, caller, ticket.id)
    const opening = await countOpening(db, hash)
    const body = savedBody(services, caller, blob)
    const file = { name, type, size: blob.size, body }
    return resumableReply(services, caller, { hash }, { file, opening, headers })
  })

/** Runs `work` as the person of a session, authenticated as in any request. */
const asSession =
  (
    { database }: Services,
    {
      organisationId,
      sessionId,
      access,
    }: { readonly organisationId: string; readonly sessionId: string; readonly access: Access },
  ) =>
  <T>(work: (db: OrgDb, caller: Caller) => Promise<T>): Promise<T> => {
    const credential = sessionCredentialOf({ organisationId, sessionId })
    let caller: Caller | undefined
    const actor = (row: unknown) => {
      caller = credential.caller(row)
      demand(allows(access, caller), 403, FORBIDDEN)
      return { kind: caller.kind, id: caller.id, name: caller.name }
    }
    return database.withOrganisation({ organisationId, lookup: credential.lookup, actor }, async (db) => {
      if (needsVerification(access, caller!)) await requireVerification(db, caller!)
      return work(db, caller!)
    })
  }
