import { attachmentCan } from '#contract/attachments/rules.ts'
import { type Attachment, NO_ROOM, NOT_YOUR_FILE, type Parent } from '#contract/attachments/schema.ts'
import {
  FILE_EMPTY,
  FORMAT_NOT_SUPPORTED,
  isAllowedExtension,
  MEGABYTE,
  partsOf,
  wholeName,
} from '#contract/kit/files.ts'
import {
  type Acting,
  meOf,
  opened,
  RESOLVED,
  stateOf,
  targetedExternals,
} from '#server/incident-access/flows.ts'
import { findIncidentOfActivity, type IncidentWithPeople } from '#server/incidents/store.ts'
import { headOf, keepBlob, keptBytes, type StoredBlob } from '#server/kit/blobs.ts'
import { clock } from '#server/kit/clock.ts'
import type { OrgDb } from '#server/kit/db.ts'
import { changesOf, type Columns, record } from '#server/kit/events.ts'
import { contentTypeOf, TELLING_BYTES } from '#server/kit/file-kinds.ts'
import { demand, notFound, Refusal, wrongField } from '#server/kit/refusal.ts'
import type { FileReply, UnhurriedContext, UploadedFile } from '#server/kit/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  deleteFiles,
  type FileRow,
  findFile,
  insertFiles,
  listFileIds,
  listFiles,
  listFilesCarried,
  listOwnFiles,
  updateCarried,
} from './store.ts'

const UNKNOWN_FILE = 'This file does not exist.'
const NO_SUCH_SET = 'This set of attachments'

/** The incident whose stream tells of a file. */
interface Told {
  readonly id: string
  readonly externals: readonly string[]
  readonly at: string
}
const toldOf = (incident: IncidentWithPeople): Told => ({
  id: incident.id,
  externals: targetedExternals(incident),
  at: clock.timestamp(),
})

const CONTENT: Columns<FileRow> = {
  name: 'name',
  extension: 'extension',
  size: 'size',
  sha256: 'sha256',
  activityId: 'activity_id',
}
function recordFile(db: OrgDb, incident: Told, verb: 'added' | 'removed', file: FileRow): void {
  const changes = verb === 'added' ? changesOf(null, file, CONTENT) : changesOf(file, null, CONTENT)
  const { id: parent, externals, at } = incident
  record(db, { noun: 'attachments', record: file.id, parent, verb, changes, externals, at })
}

export const shownFile = (file: FileRow): Attachment => ({
  id: file.id,
  name: file.name,
  extension: file.extension,
  type: file.type,
  size: file.size,
  sha256: file.sha256,
  createdBy: file.created_by,
  createdByName: file.author,
  lastUpdated: file.create_timestamp,
  ...(file.activity_id === null
    ? { parentType: 'INCIDENT', parentId: file.incident_id! }
    : { parentType: 'ACTIVITY', parentId: file.activity_id }),
})

/** The incident behind what files are attached to, where the caller may see it. */
async function incidentOf(
  db: OrgDb,
  by: Acting,
  { parentType, parentId }: Parent,
  hold?: 'change',
): Promise<IncidentWithPeople> {
  if (parentType === 'INCIDENT') return opened(db, by, parentId, hold)
  const incidentId = parentType === 'ACTIVITY' && (await findIncidentOfActivity(db, parentId))
  if (!incidentId) throw notFound(parentType === 'ACTIVITY' ? 'This task or update' : 'This playbook')
  const incident = await opened(db, by, incidentId, hold)
  // It may have been deleted while the incident was waited for.
  if (hold && !(await findIncidentOfActivity(db, parentId))) throw notFound('This task or update')
  return incident
}

/**
 * Adds a file that was received. What it is, is judged before the transaction, from its first bytes.
 * @throws Refusal 404, 409 for a resolved incident or a full storage, 415 for what is not allowed or not what it says
 */
export async function addFile(
  { blobs, attempts }: Services,
  parent: Parent,
  file: UploadedFile,
  { caller, inside }: UnhurriedContext,
): Promise<Attachment | Refusal> {
  // On its own, so that what is refused counts as well.
  const tooOften = await inside((db, { id }) => attempts.askToUpload(db, id))
  if (tooOften) return tooOften
  const { name, extension } = partsOf(file.fileName)
  const allowed = caller.config.allowedFileExtensions
  demand(isAllowedExtension(extension, allowed), 415, FORMAT_NOT_SUPPORTED)
  demand(file.size > 0, 400, FILE_EMPTY)
  const blob: StoredBlob = { id: file.blobId, size: file.size, sha256: file.sha256 }
  const type = await contentTypeOf(
    await headOf(blobs, caller.organisation.id, blob, TELLING_BYTES),
    extension,
  )
  if (!type) throw new Refusal(415, FORMAT_NOT_SUPPORTED)
  return inside(async (db, by) => {
    const incident = await incidentOf(db, by, parent, 'change')
    demand(attachmentCan.add(stateOf(incident), meOf(by)), 409, RESOLVED)
    const quota = by.config.fileQuotaMegabytes * MEGABYTE
    demand((await keptBytes(db)) + blob.size <= quota, 409, NO_ROOM)
    await keepBlob(db, blob)
    const told = toldOf(incident)
    const id = crypto.randomUUID()
    const activityId = parent.parentType === 'ACTIVITY' ? parent.parentId : null
    await insertFiles(db, [
      {
        id,
        incident_id: incident.id,
        activity_id: activityId,
        blob_id: blob.id,
        name,
        extension,
        type,
        created_by: by.name,
        create_timestamp: told.at,
      },
    ])
    if (activityId) await updateCarried(db, activityId, { added: [id] })
    const added = (await findFile(db, id))!
    recordFile(db, told, 'added', added)
    return shownFile(added)
  })
}

/** The files of an incident with those of its tasks and updates, or the files that a task or an update carries. */
export async function filesIn(db: OrgDb, by: Acting, parent: Parent): Promise<Attachment[]> {
  const incident = await incidentOf(db, by, parent)
  const files =
    parent.parentType === 'INCIDENT'
      ? await listFiles(db, [incident.id])
      : await listFilesCarried(db, [parent.parentId])
  return files.map(shownFile)
}

/** A file with its incident, where the caller may see that. */
async function fileFor(db: OrgDb, by: Acting, id: string, hold?: 'change') {
  const found = await findFile(db, id)
  if (!found?.incident_id) throw notFound('This file')
  const incident = await opened(db, by, found.incident_id, hold).catch((error: unknown) => {
    throw error instanceof Refusal && error.status === 404 ? notFound('This file') : error
  })
  // It may have been deleted while the incident was waited for.
  const file = hold ? await findFile(db, id) : found
  if (!file) throw notFound('This file')
  return { file, incident }
}

/** A file to be saved. It is read once the transaction has ended; it may be gone by then. */
export async function fileAt(
  { blobs }: Services,
  db: OrgDb,
  by: Acting & { readonly organisation: { readonly id: string } },
  id: string,
): Promise<FileReply> {
  const { file } = await fileFor(db, by, id)
  const blob: StoredBlob = { id: file.blob_id, size: file.size, sha256: file.sha256 }
  const body = () =>
    blobs.read(by.organisation.id, blob).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? notFound('This file') : error
    })
  return { name: wholeName(file), type: file.type, size: blob.size, body }
}

/** Deletes a file. The stream keeps what it was. */
export async function removeFile({ blobs }: Services, db: OrgDb, by: Acting, id: string): Promise<void> {
  const { file, incident } = await fileFor(db, by, id, 'change')
  const state = { ...stateOf(incident), createdBy: incident.created_by }
  demand(state.isActive, 409, RESOLVED)
  demand(attachmentCan.remove({ createdBy: file.created_by }, meOf(by), state), 403, NOT_YOUR_FILE)
  await deleteFiles(db, blobs, [id])
  recordFile(db, toldOf(incident), 'removed', file)
}

/** Deletes the files that were added to tasks and updates, which are about to go. */
export async function removeFilesOf(
  { blobs }: Pick<Services, 'blobs'>,
  db: OrgDb,
  incident: Told,
  activities: readonly { readonly id: string }[],
  files: Files,
): Promise<void> {
  const own = activities.flatMap(({ id }) => filesAt(files, id).filter((file) => file.activity_id === id))
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
/** The names of what a task or an update carries, as its history tells of them; null for nothing. */
export const namesOf = (files: readonly FileRow[]): string | null =>
  files.map((file) => wholeName(file)).join(', ') || null

/**
 * Lets a task or an update carry exactly these files of its incident; those that were added to itself stay with it until
 * they are deleted. Answers whether anything changed.
 */
export async function carry(
  db: OrgDb,
  activity: { readonly id: string; readonly incident_id: string },
  wanted: readonly string[],
  { now, field = 'attachedFileIds' }: { now: readonly FileRow[]; field?: string },
): Promise<boolean> {
  const carried = new Set(now.map(({ id }) => id))
  const added = [...new Set(wanted)].filter((id) => !carried.has(id))
  const removed = now.filter(({ id, activity_id }) => !wanted.includes(id) && activity_id !== activity.id)
  if (added.length > 0) {
    const known = await listFileIds(db, activity.incident_id, added)
    const stranger = wanted.findIndex((id) => !carried.has(id) && !known.has(id))
    if (stranger >= 0) throw wrongField(`${field}.${stranger}`, UNKNOWN_FILE)
  }
  await updateCarried(db, activity.id, { added, removed: removed.map(({ id }) => id) })
  return added.length + removed.length > 0
}

/**
 * Copies the files of an incident itself into a new one. Copies are records of their own, which share the bytes for as
 * long as one of them is left. Answers which file became which.
 * @throws Refusal 404 for a set of something that the caller does not see
 */
export async function copyFiles(
  db: OrgDb,
  by: Acting,
  folderId: string,
  incident: Told,
): Promise<ReadonlyMap<string, string>> {
  const source = await opened(db, by, folderId).catch((error: unknown) => {
    throw error instanceof Refusal && error.status === 404 ? notFound(NO_SUCH_SET) : error
  })
  const originals = await listOwnFiles(db, source.id)
  const copies = originals.map(({ blob_id, name, extension, type }) => ({
    id: crypto.randomUUID(),
    incident_id: incident.id,
    activity_id: null,
    blob_id,
    name,
    extension,
    type,
    created_by: by.name,
    create_timestamp: incident.at,
  }))
  await insertFiles(db, copies)
  for (const file of await listFiles(db, [incident.id])) recordFile(db, incident, 'added', file)
  return new Map(originals.map(({ id }, n) => [id, copies[n]!.id]))
}
