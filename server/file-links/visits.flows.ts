import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

import { type DownloadTicket, type PreviewTicket } from '#contract/files/schema.ts'
import type { fileLinksApi } from '#contract/file-links/api.ts'
import {
  LINK_GONE,
  LINK_ITEMS_PER_PAGE,
  LINK_OVER,
  type LinkDoor,
  type LinkItem,
  type LinkItems,
  type LinkOpening,
  type LinkUpload,
  type LinkUploadHeaders,
  type LinkVisit,
  VISIT_OVER,
  VISIT_OVER_CODE,
  VISITOR_REQUIRED,
  WRONG_PASSCODE,
} from '#contract/file-links/schema.ts'
import { filesAccess } from '#contract/files/access.ts'
import { allows } from '#contract/kit/access.ts'
import type { Input } from '#contract/kit/endpoint.ts'
import {
  FILE_EMPTY,
  FORMAT_NOT_SUPPORTED,
  isAllowedExtension,
  MEGABYTE,
  partsOf,
  wholeName,
} from '#contract/kit/files.ts'
import { blobSource, type StoredBlob, tooLarge } from '#server/kit/blobs/blobs.ts'
import { contentTypeOf } from '#server/kit/blobs/file-kinds.ts'
import { clock, HOUR } from '#server/kit/core/clock.ts'
import { demand, notFound, Refusal, wrongField } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Lookup } from '#server/kit/database/lookup.ts'
import { BodyParts } from '#server/kit/http/parts.ts'
import type { FileReply } from '#server/kit/http/answers.ts'
import type { Caller, PublicContext } from '#server/kit/http/serve.ts'
import { cleanName, shortName } from '#server/kit/http/uploads.ts'
import { passwordMatches } from '#server/kit/security/passwords.ts'
import { openToken, sealToken } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'
import {
  changing,
  demandOpenToNew,
  ITEM,
  openedFolder,
  openedItem,
  recordItem,
  type Viewer,
  viewerOf,
} from '#server/files/access.flows.ts'
import { downloadedFile } from '#server/files/downloads.flows.ts'
import { demandShownType, shownFile } from '#server/files/previews.flows.ts'
import { type ItemRow, listChildren } from '#server/files/store.ts'
import { issueTicket, TICKET } from '#server/files/tickets.flows.ts'
import { findTicket, type Ticket } from '#server/files/tickets.store.ts'
import { placeFile } from '#server/files/upload.flows.ts'
import { callerOf } from '#server/sessions/flows.ts'
import { ORGANISATION_COLUMNS } from '#server/sessions/store.ts'

import { demandLinkable, LINK_TOKEN } from './flows.ts'
import {
  countLinkOpening,
  findSent,
  insertSent,
  insertVisit,
  linkLookup,
  type LinkRow,
  listSent,
  ticketLookup,
  visitLookup,
  type VisitRow,
} from './store.ts'

/** Prefix of the token of a visit. */
const VISIT_TOKEN = 'lv'
/** Time after which the passcode is needed again. */
const VISIT_LIFE = 4 * HOUR
const CONTENT_PATH = '/sfs/link/content'

type Client = Pick<PublicContext, 'address' | 'userAgent'>

const gone = () => new Refusal(404, LINK_GONE, { code: LINK_OVER })
const visitOver = () => new Refusal(401, VISIT_OVER, { code: VISIT_OVER_CODE })

/** A link in use: its maker, whose rights decide, and the linked item. */
interface Opened<Row> {
  readonly link: Row
  readonly maker: Caller
  readonly viewer: Viewer
  readonly item: ItemRow
}

/** Name of a visitor in histories. */
const visitorName = ({
  label,
  visitor = '',
}: {
  readonly label: string
  readonly visitor?: string
}): string => (visitor === '' ? `By link (${label})` : `By link (${visitor}, unverified)`)

/**
 * Runs `work` in the organisation of a token, with events in the visitor's name. The rights of the link's maker are
 * proven each time.
 * @param over the refusal for a token that finds nothing
 * @throws Refusal 404 where the link may no longer be used
 */
async function withLink<Row extends LinkRow, T>(
  { database }: Services,
  { organisationId, lookup, over }: { organisationId: string; lookup: Lookup; over: () => Refusal },
  { address, userAgent }: Client,
  work: (db: OrgDb, opened: Opened<Row>) => Promise<T>,
): Promise<T> {
  let maker: Caller | undefined
  const actor = (row: Row | undefined) => {
    if (!row) throw over()
    maker = callerOf(row, { sessionId: null }, null)
    if (!maker.config.fileLinksEnabled || !allows(filesAccess.use, maker)) throw gone()
    const facts = { address: { from: null, to: address }, userAgent: { from: null, to: userAgent } }
    return { kind: 'link', id: row.linkId, name: visitorName(row), facts } as const
  }
  return database.withOrganisation<T, Row>({ organisationId, lookup, actor }, async (db, link) => {
    const viewer = await viewerOf(db, maker!)
    const item = await openedItem(db, viewer, link.itemId).catch(endsLink)
    await demandLinkable(db, viewer, item, link.direction).catch(endsLink)
    return work(db, { link, maker: maker!, viewer, item })
  })
}
/** A right that the maker has lost ends the link, without a reason for the visitor. */
const endsLink = (error: unknown): never => {
  throw error instanceof Refusal ? gone() : error
}

const withToken = <T>(
  services: Services,
  token: string,
  client: Client,
  work: (db: OrgDb, opened: Opened<LinkRow>, organisationId: string) => Promise<T>,
): Promise<T> => {
  const opened = openToken(LINK_TOKEN, token)
  if (!opened) throw gone()
  const { organisationId, hash } = opened
  const opening = { organisationId, lookup: linkLookup(hash, ORGANISATION_COLUMNS), over: gone }
  return withLink<LinkRow, T>(services, opening, client, (db, found) => work(db, found, organisationId))
}

const withVisit = <T>(
  services: Services,
  visit: string,
  client: Client,
  work: (db: OrgDb, opened: Opened<VisitRow>) => Promise<T>,
): Promise<T> => {
  const opened = openToken(VISIT_TOKEN, visit)
  if (!opened) throw visitOver()
  const { organisationId, hash } = opened
  return withLink(
    services,
    { organisationId, lookup: visitLookup(hash, ORGANISATION_COLUMNS), over: visitOver },
    client,
    work,
  )
}

/** Rate limit of looks at links and of openings, per client address. */
async function demandFewLooks({ attempts, database }: Services, { address }: Client): Promise<void> {
  const tooMany = await attempts.takeLinkFrom(database.directory, address)
  if (tooMany) throw tooMany
}

/** The organisation and direction of a link, before its passcode. */
export async function lookAt(services: Services, token: string, client: Client): Promise<LinkDoor> {
  await demandFewLooks(services, client)
  return withToken(services, token, client, async (_, { link, maker }) => ({
    organisation: maker.organisation.displayName,
    direction: link.direction,
  }))
}

/**
 * Opens a link with its passcode. Wrong ones are counted, recorded and locked out.
 * @throws Refusal 400, 404, 429
 */
export async function openLink(
  services: Services,
  { token, passcode, visitor }: LinkOpening,
  client: Client,
): Promise<LinkVisit | Refusal> {
  await demandFewLooks(services, client)
  const { attempts } = services
  const { tries, passcodeHash } = await withToken(services, token, client, async (db, { link }) => {
    if (link.direction === 'UP' && visitor === '') throw wrongField('visitor', VISITOR_REQUIRED)
    const counted = attempts.codes(`file link ${link.linkId}`, client.address)
    const lockedOut = await attempts.refusal(db, counted.keys)
    if (lockedOut) throw lockedOut
    return { tries: counted, passcodeHash: link.passcodeHash }
  })
  const isRight = await passwordMatches(passcode, passcodeHash)
  return withToken(services, token, client, async (db, { link, maker, item }, organisationId) => {
    const { refusal } = await attempts.settle(db, tries, isRight)
    if (refusal && isRight) return refusal
    if (!isRight) {
      recordItem(db, item, 'link passcode refused')
      return refusal ?? wrongField('passcode', WRONG_PASSCODE)
    }
    if (!(await countLinkOpening(db, link.linkId))) return gone()
    const { token: visit, hash } = sealToken(VISIT_TOKEN, organisationId)
    const expires_timestamp = new Date(clock.now() + VISIT_LIFE).toISOString()
    await insertVisit(db, { hash, link_id: link.linkId, visitor, expires_timestamp })
    recordItem(db, item, 'link opened', visitor === '' ? {} : { visitor: { from: null, to: visitor } })
    const { maxFileSize, allowedFileExtensions } = maker.config
    return {
      visit,
      expireTimestamp: expires_timestamp,
      direction: link.direction,
      organisation: maker.organisation.displayName,
      item: toLinkItem(item),
      maxFileSize,
      allowedFileExtensions: [...allowedFileExtensions],
    }
  })
}

const toLinkItem = ({ id, name, extension, size, isFolder, updateTimestamp }: ItemRow): LinkItem => ({
  id,
  name,
  extension,
  size,
  isFolder,
  updateTimestamp,
})

/** @throws Refusal 404 where the link takes files in and hands none out */
const demandDown = ({ direction }: LinkRow): void => {
  if (direction !== 'DOWN') throw notFound(ITEM)
}

/**
 * The linked item, or one below it.
 * @throws Refusal 404
 */
async function openedBelow(
  db: OrgDb,
  { link, viewer, item }: Opened<VisitRow>,
  id: number = item.id,
): Promise<ItemRow> {
  demandDown(link)
  if (id === item.id) return item
  const row = await openedItem(db, viewer, id)
  if (!row.path.includes(item.id)) throw notFound(ITEM)
  return row
}

/** A page of a linked folder or one below it; of a linked file the file. */
export const linkItems = (
  services: Services,
  visit: string,
  { folder, page }: Input<(typeof fileLinksApi)['items']>['query'],
  client: Client,
): Promise<LinkItems> =>
  withVisit(services, visit, client, async (db, opened) => {
    const { id, isFolder } = await openedBelow(db, opened, folder)
    if (!isFolder) return { items: [toLinkItem(opened.item)], total: 1 }
    const first = (page - 1) * LINK_ITEMS_PER_PAGE
    const range = [first, first + LINK_ITEMS_PER_PAGE - 1] as const
    const { rows, total } = await listChildren(db, id, opened.viewer.hidden, {}, { range })
    return { items: rows.map(toLinkItem), total }
  })

const issue = (
  db: OrgDb,
  { link, maker }: Opened<VisitRow>,
  ticket: Ticket,
): Promise<{ path: string; expireTimestamp: string }> =>
  issueTicket(db, maker, ticket, { visitId: link.visitId, path: CONTENT_PATH })

/** A ticket for one download: of a file as such, of a folder as a ZIP file. */
export const linkDownload = (
  services: Services,
  visit: string,
  id: number,
  client: Client,
): Promise<DownloadTicket> =>
  withVisit(services, visit, client, async (db, opened) => {
    const row = await openedBelow(db, opened, id)
    const ticket: Ticket = row.isFolder
      ? { purpose: 'archive', itemIds: [row.id] }
      : { purpose: 'download', itemId: row.id, fileVersion: row.fileVersion }
    return issue(db, opened, ticket)
  })

export const linkPreview = (
  services: Services,
  visit: string,
  id: number,
  client: Client,
): Promise<PreviewTicket> =>
  withVisit(services, visit, client, async (db, opened) => {
    const row = await openedBelow(db, opened, id)
    const type = demandShownType(services.settings, { ...row, type: row.type! })
    const ticket = { purpose: 'preview', itemId: row.id, fileVersion: row.fileVersion } as const
    return { ...(await issue(db, opened, ticket)), type }
  })

/**
 * The content behind a ticket of a visit, with the rights of the link's maker.
 * @param page of a converted image
 * @throws Refusal 404, 410, 416
 */
export async function linkContent(
  services: Services,
  token: string,
  { headers, page }: { readonly headers: IncomingHttpHeaders; readonly page: number },
  client: Client,
): Promise<FileReply> {
  const opened = openToken(TICKET, token)
  if (!opened) throw gone()
  const { organisationId, hash } = opened
  const opening = { organisationId, lookup: ticketLookup(hash, ORGANISATION_COLUMNS), over: gone }
  return withLink<VisitRow, FileReply>(services, opening, client, async (db, visit) => {
    const { ticket } = (await findTicket(db, hash))!
    if ('id' in ticket) throw gone()
    const id = ticket.purpose === 'archive' ? ticket.itemIds[0] : ticket.itemId
    await openedBelow(db, visit, id)
    return ticket.purpose === 'preview'
      ? shownFile(services, db, visit.maker, { hash, ticket }, { range: headers.range, page })
      : downloadedFile(services, db, visit.maker, { hash, ticket }, headers)
  })
}

/** Files that were sent in a visit. */
export const linkUploads = (services: Services, visit: string, client: Client): Promise<LinkUpload[]> =>
  withVisit(services, visit, client, (db, { link }) => listSent(db, link.visitId))

/** A file to be received by a link. */
interface Received {
  readonly organisationId: string
  readonly maxBytes: number
  readonly name: string
  readonly extension: string
}
/**
 * Checks what can be checked before the bytes.
 * @throws Refusal 401, 404, 409, 413, 415, 429
 */
function expectFile(
  services: Services,
  { 'link-visit': visit, 'file-name': fileName }: LinkUploadHeaders,
  announced: number,
  client: Client,
): Promise<Received | Refusal> {
  const named = partsOf(shortName(cleanName(fileName)))
  return withVisit(services, visit, client, async (db, { link, maker, viewer, item }) => {
    if (link.direction !== 'UP') throw notFound(ITEM)
    const tooOften = await services.attempts.takeUpload(db, `file link ${link.linkId}`)
    // Returned, so that refused uploads count as well.
    if (tooOften) return tooOften
    const { allowedFileExtensions, maxFileSize } = maker.config
    demand(isAllowedExtension(named.extension, allowedFileExtensions), 415, FORMAT_NOT_SUPPORTED)
    const maxBytes = maxFileSize * MEGABYTE
    if (announced > maxBytes) throw tooLarge(maxBytes)
    demandOpenToNew(await openedFolder(db, viewer, item.id))
    return { organisationId: maker.organisation.id, maxBytes, ...named }
  })
}

/** Adds a file that a visitor sends to the linked folder, beside a file of the same name. */
export async function receiveFile(
  services: Services,
  headers: LinkUploadHeaders,
  bytes: IncomingMessage,
  client: Client,
): Promise<LinkUpload | Refusal> {
  try {
    const announced = Number(bytes.headers['content-length'] ?? 0)
    const expected = await expectFile(services, headers, announced, client)
    return expected instanceof Refusal
      ? expected
      : await storeFile(services, expected, headers['link-visit'], bytes, client)
  } finally {
    // Drains the body, because browsers read the reply only after they have sent everything.
    bytes.resume()
  }
}

async function storeFile(
  services: Services,
  { organisationId, maxBytes, name, extension }: Received,
  visit: string,
  bytes: IncomingMessage,
  client: Client,
): Promise<LinkUpload> {
  const { blobs } = services
  const parts = new BodyParts(bytes)
  let blob: StoredBlob | undefined
  let isUsed = false
  try {
    blob = await blobs.write(organisationId, parts.next(maxBytes + 1), maxBytes)
    demand(!parts.isBroken, 408, 'The upload stopped.')
    demand(blob.size > 0, 400, FILE_EMPTY)
    const type = await contentTypeOf(blobSource(blobs, organisationId, blob), extension)
    if (!type) throw new Refusal(415, FORMAT_NOT_SUPPORTED)
    const content = { blob, type }
    const { sent, isNew } = await withVisit(services, visit, client, async (db, { link, maker, item }) => {
      // Locks the organisation's files, so that a repeated request finds the first one's file.
      await changing(db, maker)
      const whole = wholeName({ name, extension })
      const known = await findSent(db, link.visitId, { name: whole, sha256: content.blob.sha256 })
      if (known) return { sent: known, isNew: false }
      const place = { name, extension, parentFolderId: item.id, onConflict: 'keepBoth' } as const
      const { id } = await placeFile(services.jobs, db, maker, place, content, {
        createdBy: visitorName(link),
      })
      const { size, sha256 } = content.blob
      return {
        sent: await insertSent(db, { visit_id: link.visitId, item_id: id, name: whole, size, sha256 }),
        isNew: true,
      }
    })
    isUsed = isNew
    return sent
  } finally {
    parts.close()
    if (blob && !isUsed) await blobs.remove(organisationId, blob.id)
  }
}
