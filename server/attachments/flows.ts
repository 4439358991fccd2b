import type { IncomingHttpHeaders } from 'node:http'

import { sql } from 'kysely'

import { fileAccess } from '#contract/attachments/rules.ts'
import { type Attachment, NO_ROOM, type Parent } from '#contract/attachments/schema.ts'
import type { DownloadTicket } from '#contract/files/schema.ts'
import { allows } from '#contract/kit/access.ts'
import {
  FILE_EMPTY,
  FORMAT_NOT_SUPPORTED,
  isAllowedExtension,
  MEGABYTE,
  partsOf,
  wholeName,
} from '#contract/kit/files.ts'
import { UNDO_OVER } from '#contract/kit/undo.ts'
import { attachedContent, issueDownload, savedBody } from '#server/files/tickets.flows.ts'
import { viewedReply } from '#server/kit/http/viewed-reply.ts'
import type { FileReply } from '#server/kit/http/answers.ts'
import { keepBlob, keptBytes, blobSource, type StoredBlob } from '#server/kit/blobs/blobs.ts'
import type { ColumnsOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { keepDeleted, undoDeletion } from '#server/kit/database/deletions.ts'
import { runHook } from '#server/kit/database/hooks.ts'
import { changesBetween, record } from '#server/kit/events/events.ts'
import { contentTypeOf } from '#server/kit/blobs/file-kinds.ts'
import { FORBIDDEN, demand, notFound, Refusal, wrongField } from '#server/kit/core/refusal.ts'
import type { Acting, OutsideTransactionContext, UploadedFile } from '#server/kit/http/serve.ts'
import { shortName } from '#server/kit/http/uploads.ts'
import type { Services } from '#server/kit/services.ts'

import {
  type AttachmentRow,
  deleteFiles,
  type FileRow,
  findFile,
  insertFiles,
  listFileIds,
  listFiles,
  listFilesCarried,
  listOwnFiles,
  listPlaybookFiles,
  updateCarried,
} from './store.ts'

const UNKNOWN_FILE = 'This file does not exist.'
const NO_SUCH_SET = 'This set of attachments'

/** Part of an event about a file: the incident or playbook of the file. */
export interface EventContext {
  readonly id: string
  readonly externals: readonly string[]
  readonly at: string
}
const AUDITED = [
  'name',
  'extension',
  'size',
  'sha256',
  'activityId',
] as const satisfies readonly (keyof FileRow)[]
function recordFile(
  db: OrgDb,
  { id: parent, externals, at }: EventContext,
  verb: 'added' | 'removed' | 'restored',
  file: FileRow,
) {
  const changes =
    verb === 'removed' ? changesBetween(file, null, AUDITED) : changesBetween(null, file, AUDITED)
  record(db, { noun: 'attachments', record: file.id, parent, verb, changes, externals, at })
}

type ParentIds = Pick<FileRow, 'incidentId' | 'playbookId' | 'activityId'>
const parentOf = ({ incidentId, playbookId, activityId }: ParentIds): Parent =>
  playbookId !== null
    ? { parentType: 'PLAYBOOK', parentId: playbookId }
    : activityId !== null
      ? { parentType: 'ACTIVITY', parentId: activityId }
      : { parentType: 'INCIDENT', parentId: incidentId! }

export function toAttachment(row: FileRow): Attachment {
  const { incidentId, playbookId, activityId, blobId: _, carriers: __, createTimestamp, ...file } = row
  return { ...file, lastUpdated: createTimestamp, ...parentOf({ incidentId, playbookId, activityId }) }
}

/** The incident, activity or playbook that files are attached to, with the caller's rights to them. */
export interface Holder {
  readonly parentIds: ParentIds
  readonly eventContext: EventContext
  /** Throws unless the caller may add a file. */
  readonly demandAdd: () => void
  /** Throws unless the caller may delete a file that `createdBy` added. */
  readonly demandRemove: (createdBy: string) => void
}

declare module '#server/kit/database/hooks.ts' {
  interface Hooks {
    /** Files of a record are requested. The record's noun returns their holder, or refuses with 404. */
    attachmentsOpened: {
      readonly by: Acting
      readonly parent: Parent
      /** Locks the record before its files change. */
      readonly hold: 'change' | undefined
      readonly found: (holder: Holder) => void
    }
  }
}

/**
 * Finds the record that files are attached to, and locks it before its files change.
 * @throws Refusal 403 without the permission for that kind, 404
 */
async function holderOf(db: OrgDb, by: Acting, parent: Parent, hold?: 'change'): Promise<Holder> {
  const access = fileAccess(parent.parentType, hold ? 'write' : 'read')
  demand(allows({ ...access, realm: 'organisation' }, by), 403, FORBIDDEN)
  const holders: Holder[] = []
  await runHook(db, 'attachmentsOpened', { by, parent, hold, found: (holder) => holders.push(holder) })
  const [holder] = holders
  if (!holder) throw notFound(NO_SUCH_SET)
  return holder
}

/**
 * Adds an uploaded file. Its type is detected from its first bytes before the transaction.
 * @throws Refusal 404, 409 for a resolved incident or a full storage, 415 for a forbidden type or one that does not
 * match the content
 */
export async function addFile(
  { blobs, attempts }: Services,
  parent: Parent,
  file: UploadedFile,
  { caller, transaction, replyTransaction }: OutsideTransactionContext,
): Promise<Attachment | Refusal> {
  // In its own transaction, so that refused uploads count as well.
  const tooOften = await transaction((db, { id }) => attempts.takeUpload(db, id))
  if (tooOften) return tooOften
  const { name, extension } = partsOf(shortName(file.fileName))
  const allowed = caller.config.allowedFileExtensions
  demand(isAllowedExtension(extension, allowed), 415, FORMAT_NOT_SUPPORTED)
  demand(file.size > 0, 400, FILE_EMPTY)
  const blob: StoredBlob = { id: file.blobId, size: file.size, sha256: file.sha256 }
  const type = await contentTypeOf(blobSource(blobs, caller.organisation.id, blob), extension)
  if (!type) throw new Refusal(415, FORMAT_NOT_SUPPORTED)
  return replyTransaction(async (db, by) => {
    const { parentIds, eventContext, demandAdd } = await holderOf(db, by, parent, 'change')
    demandAdd()
    const quota = by.config.fileQuotaMegabytes * MEGABYTE
    demand((await keptBytes(db)) + blob.size <= quota, 409, NO_ROOM)
    await keepBlob(db, blob)
    const id = crypto.randomUUID()
    const about = {
      blobId: blob.id,
      name,
      extension,
      type,
      createdBy: by.name,
      createTimestamp: eventContext.at,
    }
    await insertFiles(db, [{ id, ...parentIds, ...about }])
    if (parentIds.activityId) await updateCarried(db, parentIds.activityId, { added: [id] })
    const added = (await findFile(db, id))!
    recordFile(db, eventContext, 'added', added)
    return toAttachment(added)
  })
}

/**
 * The files of an incident with those of its tasks and updates; those that a task or an update carries; or those of a
 * playbook.
 */
export async function filesIn(db: OrgDb, by: Acting, parent: Parent): Promise<Attachment[]> {
  const { parentType, parentId } = parent
  await holderOf(db, by, parent)
  const files =
    parentType === 'INCIDENT'
      ? await listFiles(db, [parentId])
      : parentType === 'ACTIVITY'
        ? await listFilesCarried(db, [parentId])
        : await listPlaybookFiles(db, parentId)
  return files.map(toAttachment)
}

/** A file with its holder, where the caller may see the holder. */
async function fileFor(db: OrgDb, by: Acting, id: string, hold?: 'change') {
  const found = await findFile(db, id)
  if (!found) throw notFound('This file')
  const holder = await holderOf(db, by, parentOf(found), hold).catch((error: unknown) => {
    throw error instanceof Refusal && error.status === 404 ? notFound('This file') : error
  })
  // The file may have been deleted while the lock was waited for.
  const file = hold ? await findFile(db, id) : found
  if (!file) throw notFound('This file')
  return { file, holder }
}

/** A file to be saved, read once the transaction has ended. Its bytes may be gone by then. */
export async function fileAt(
  services: Services,
  db: OrgDb,
  by: Acting & { readonly organisation: { readonly id: string } },
  id: string,
  { shown = false, page }: { readonly shown?: boolean | undefined; readonly page: number },
): Promise<FileReply> {
  const { file } = await fileFor(db, by, id)
  const { name, type, blob } = savedFile(file)
  const reply = { name, type, size: blob.size, body: savedBody(services, by, blob) }
  return shown ? viewedReply(reply, { extension: file.extension, page, settings: services.settings }) : reply
}

const savedFile = (file: FileRow) => ({
  name: wholeName(file),
  type: file.type,
  blob: { id: file.blobId, size: file.size, sha256: file.sha256 } satisfies StoredBlob,
})

/** A ticket to download a file. */
export const downloadTicketOf = (
  services: Services,
  id: string,
  context: OutsideTransactionContext,
): Promise<DownloadTicket> =>
  issueDownload(services, context, async (db, by) => {
    const { file } = await fileFor(db, by, id)
    return { ticket: { purpose: 'attachment', id }, blob: savedFile(file).blob }
  })

/** The file behind a ticket of `downloadTicketOf`. */
export const contentAt = (
  services: Services,
  token: string,
  headers: IncomingHttpHeaders,
): Promise<FileReply> =>
  attachedContent(services, 'attachment', { token, headers }, async (db, by, id) =>
    savedFile((await fileFor(db, by, id)).file),
  )

/** Deletes a file, and its bytes when the deletion can no longer be undone. The event stream keeps its metadata. */
export async function removeFile({ blobs }: Services, db: OrgDb, by: Acting, id: string): Promise<void> {
  const { file, holder } = await fileFor(db, by, id, 'change')
  holder.demandRemove(file.createdBy)
  const parts = [
    { table: 'attachments', where: sql`t.id = ${id}` },
    { table: 'activity_attachments', where: sql`t.attachment_id = ${id}` },
  ] as const
  await keepDeleted(db, { noun: 'attachments', record: id, by }, parts, [file.blobId])
  await deleteFiles(db, blobs, [id])
  recordFile(db, holder.eventContext, 'removed', file)
}

/**
 * Undoes the deletion of a file, in the place that it had.
 * @throws Refusal 403, 404, 409 also where its incident is resolved, its task deleted or the storage full
 */
export async function restoreFile(db: OrgDb, by: Acting, id: string): Promise<Attachment> {
  await undoDeletion(db, { noun: 'attachments', record: id, by }, async ({ rows, restore }) => {
    const [kept] = await rows<ColumnsOf<AttachmentRow>>('attachments')
    const { incident_id: incidentId, playbook_id: playbookId, activity_id: activityId } = kept!
    const parent = parentOf({ incidentId, playbookId, activityId })
    const { eventContext, demandAdd } = await holderOf(db, by, parent, 'change')
    demandAdd()
    demand((await restore('attachments')) > 0, 409, UNDO_OVER)
    await restore('activity_attachments')
    demand((await keptBytes(db)) <= by.config.fileQuotaMegabytes * MEGABYTE, 409, NO_ROOM)
    recordFile(db, eventContext, 'restored', (await findFile(db, id))!)
  })
  const { file } = await fileFor(db, by, id)
  return toAttachment(file)
}

/** Deletes the files that were added to tasks and updates, before these are deleted. */
export async function removeFilesOf(
  { blobs }: Pick<Services, 'blobs'>,
  db: OrgDb,
  incident: EventContext,
  activities: readonly { readonly id: string }[],
  files: Files,
): Promise<void> {
  const own = activities.flatMap(({ id }) => filesAt(files, id).filter((file) => file.activityId === id))
  const ids = own.map(({ id }) => id)
  await deleteFiles(db, blobs, ids)
  for (const file of own) recordFile(db, incident, 'removed', file)
}

/** The files that tasks and updates carry, by the id of the task or update. */
export type Files = ReadonlyMap<string, readonly FileRow[]>
export const filesAt = (files: Files, activityId: string): readonly FileRow[] => files.get(activityId) ?? []
export function filesByActivity(files: readonly FileRow[]): Files {
  const carried = files.flatMap((file) => file.carriers.map((carrier) => ({ carrier, file })))
  const grouped = Map.groupBy(carried, ({ carrier }) => carrier)
  return new Map(Array.from(grouped, ([carrier, all]) => [carrier, all.map(({ file }) => file)]))
}
/** The names of the files of a task or update, for its history; null for none. */
export const namesOf = (files: readonly FileRow[]): string | null =>
  files.map((file) => wholeName(file)).join(', ') || null

/**
 * Replaces the files of the incident that a task or update carries; files added to itself stay until they are deleted.
 * Returns whether anything changed.
 */
export async function carry(
  db: OrgDb,
  activity: { readonly id: string; readonly incidentId: string },
  requestedIds: readonly string[],
  { now, field = 'attachedFileIds' }: { now: readonly FileRow[]; field?: string },
): Promise<boolean> {
  const carried = new Set(now.map(({ id }) => id))
  const added = [...new Set(requestedIds)].filter((id) => !carried.has(id))
  const removed = now.filter(({ id, activityId }) => !requestedIds.includes(id) && activityId !== activity.id)
  if (added.length > 0) {
    const known = await listFileIds(db, activity.incidentId, added)
    const stranger = requestedIds.findIndex((id) => !carried.has(id) && !known.has(id))
    if (stranger >= 0) throw wrongField(`${field}.${stranger}`, UNKNOWN_FILE)
  }
  await updateCarried(db, activity.id, { added, removed: removed.map(({ id }) => id) })
  return added.length + removed.length > 0
}

/**
 * Copies the files of an incident or playbook into an incident, or into a playbook. Copies are records of their own that
 * share the bytes: they use no storage, and deleting one leaves the others. Returns the new id by the old one.
 * @throws Refusal 404 when the caller does not see the source
 */
export async function copyFiles(
  db: OrgDb,
  by: Acting,
  folderId: string,
  target: EventContext,
  kind: 'incident' | 'playbook' = 'incident',
): Promise<ReadonlyMap<string, string>> {
  const originals = await listOwnFiles(db, await sourceOf(db, by, folderId))
  const copies = originals.map((original) => ({
    ...original,
    id: crypto.randomUUID(),
    incidentId: kind === 'incident' ? target.id : null,
    playbookId: kind === 'playbook' ? target.id : null,
    activityId: null,
    createdBy: by.name,
    createTimestamp: target.at,
  }))
  await insertFiles(db, copies)
  const copied = new Set<string>(copies.map(({ id }) => id))
  const files = await (kind === 'incident' ? listFiles(db, [target.id]) : listPlaybookFiles(db, target.id))
  for (const file of files) if (copied.has(file.id)) recordFile(db, target, 'added', file)
  return new Map(originals.map(({ id }, n) => [id, copies[n]!.id]))
}

/** Adds files whose bytes are already stored to a playbook. */
export async function addPlaybookFiles(
  db: OrgDb,
  playbook: EventContext,
  files: readonly Omit<AttachmentRow, 'incidentId' | 'playbookId' | 'activityId' | 'createTimestamp'>[],
): Promise<void> {
  const about = { incidentId: null, playbookId: playbook.id, activityId: null, createTimestamp: playbook.at }
  await insertFiles(
    db,
    files.map((file) => ({ ...file, ...about })),
  )
  const added = new Set(files.map(({ id }) => id))
  for (const file of await listPlaybookFiles(db, playbook.id))
    if (added.has(file.id)) recordFile(db, playbook, 'added', file)
}

/** Deletes the files of a playbook, before it is deleted. */
export async function removePlaybookFiles(
  { blobs }: Pick<Services, 'blobs'>,
  db: OrgDb,
  playbook: EventContext,
): Promise<void> {
  const files = await listPlaybookFiles(db, playbook.id)
  await deleteFiles(
    db,
    blobs,
    files.map(({ id }) => id),
  )
  for (const file of files) recordFile(db, playbook, 'removed', file)
}

/** The incident or playbook with a given set of files. */
async function sourceOf(db: OrgDb, by: Acting, id: string) {
  for (const parentType of ['INCIDENT', 'PLAYBOOK'] as const) {
    try {
      await holderOf(db, by, { parentType, parentId: id })
      return parentType === 'INCIDENT' ? { incident: id } : { playbook: id }
    } catch (error) {
      // 403 and 404 look alike, so that ids cannot be probed.
      if (!(error instanceof Refusal) || ![403, 404].includes(error.status)) throw error
    }
  }
  throw notFound(NO_SUCH_SET)
}
