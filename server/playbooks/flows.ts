import {
  type ListedPlaybook,
  type NewPlaybook,
  type OpenedPlaybook,
  type PlaybookChanges,
  PLAYBOOKS_LIMIT_REACHED,
  type PlaybookTemplate,
  type PlaybookVersionContent,
} from '#contract/playbooks/schema.ts'
import { copyFiles, removePlaybookFiles } from '#server/attachments/flows.ts'
import { listFilesInPlaybooks } from '#server/attachments/store.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { findLastEditor, record } from '#server/kit/events/events.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { demand, notFound, stale } from '#server/kit/core/refusal.ts'
import type { Services } from '#server/kit/services.ts'
import { listNamed } from '#server/users/people.store.ts'
import type { Acting } from '#server/kit/http/serve.ts'

import { openedPlaybook, PLAYBOOK } from './access.flows.ts'
import {
  activitiesOf,
  changesOf,
  demandCategory,
  demandRoom,
  fileNamesOf,
  filesOf,
  NO_FILES,
  ownerIdOf,
  type PlaybookValues,
  withFiles,
} from './content.flows.ts'
import {
  countForAdding,
  deletePlaybook,
  findCategoryName,
  findPlaybook,
  findVersion,
  inOrder,
  insertPlaybook,
  insertVersion,
  listPlaybooks,
  listVersions,
  updatePlaybook,
} from './store.ts'

/**
 * A playbook with its headings and tasks in order, without references to deleted files.
 * @throws Refusal 404
 */
export async function openPlaybook(db: OrgDb, id: string): Promise<PlaybookTemplate> {
  const playbook = await findPlaybook(db, id)
  if (!playbook) throw notFound(PLAYBOOK)
  const hasFiles = playbook.activities.some(({ attachedFileIds }) => attachedFileIds.length > 0)
  const names = hasFiles ? await fileNamesOf(db, id) : new Map<string, string>()
  return { ...playbook, activities: withFiles(playbook.activities, names) }
}

/** A playbook with the names of its people. */
export async function openWithPeople(db: OrgDb, id: string): Promise<OpenedPlaybook> {
  const playbook = await openPlaybook(db, id)
  const { createdBy, updatedBy, owner } = playbook
  const people = await listNamed(db, owner === null ? [createdBy, updatedBy] : [createdBy, updatedBy, owner])
  return { ...playbook, people }
}

/** A page of playbooks without headings and tasks, or all playbooks with them. */
export async function findPlaybooks(
  db: OrgDb,
  query: Parameters<typeof listPlaybooks>[1],
): Promise<Page<ListedPlaybook>> {
  const { rows, total } = await listPlaybooks(db, query)
  if (query.range) return { rows, total }
  const files = await listFilesInPlaybooks(db)
  const whole = rows.map(({ activities = [], ...row }) => ({
    ...row,
    activities: withFiles(activities, files),
  }))
  return { rows: whole, total }
}

/** Stores a saved playbook as a version. */
async function keepVersion(
  db: OrgDb,
  playbook: PlaybookValues & Pick<PlaybookTemplate, 'id' | 'version' | 'updatedBy' | 'updateTimestamp'>,
  restoredFrom: number | null = null,
): Promise<void> {
  const { id, version, updatedBy, updateTimestamp, name, description, categoryId, activities } = playbook
  const referred = filesOf(activities)
  const names = referred.size > 0 ? await fileNamesOf(db, id) : new Map<string, string>()
  await insertVersion(db, id, {
    version,
    savedBy: updatedBy,
    savedTimestamp: updateTimestamp,
    restoredFrom,
    content: { name, description, categoryId, activities },
    fileNames: Object.fromEntries([...names].filter(([file]) => referred.has(file))),
  })
}

/** A playbook to add; file ids are those of its own set. */
export interface AddedPlaybook extends PlaybookValues {
  readonly id: string
  readonly ownerId: string | null
  /** Display name of the author. */
  readonly by: string
  /** The parent organisation's share that the playbook comes from, if any. */
  readonly share?: { readonly id: string; readonly sourceId: string }
}
/** Adds a playbook with its first version and records it. Its files must exist already. */
export async function addPlaybook(db: OrgDb, added: AddedPlaybook): Promise<void> {
  const { id, ownerId, by, share, owner: _, ...values } = added
  const now = clock.timestamp()
  const sharedBy = share ? by : null
  const about = { updatedBy: by, updateTimestamp: now, version: 1 }
  await insertPlaybook(db, {
    ...values,
    ...about,
    id,
    ownerId,
    sharedBy,
    shareId: share?.id ?? null,
    sourceId: share?.sourceId ?? null,
    createdBy: by,
    createTimestamp: now,
    activitiesCount: values.activities.length,
  })
  await keepVersion(db, { ...added, ...about })
  const changes = await changesOf(db, null, added)
  const sharing: Changes = sharedBy === null ? {} : { sharedBy: { from: null, to: sharedBy } }
  const verb = share ? 'received' : 'created'
  record(db, { noun: 'playbooks', record: id, verb, changes: { ...changes, ...sharing }, at: now })
}

/**
 * Creates a playbook, with copies of a set of files where one is named.
 * @throws Refusal 403 at the limit, 400 at a field, 404 for an unknown set of files
 */
export async function createPlaybook(db: OrgDb, by: Acting, given: NewPlaybook): Promise<OpenedPlaybook> {
  const { config } = by
  demand((await countForAdding(db)) < config.playbookMaxTemplates, 403, PLAYBOOKS_LIMIT_REACHED)
  const { attachmentsFolderIdForDuplication: folder, activities: sent, ...values } = given
  demandRoom(sent, config.maxActivitiesPerPlaybook)
  await demandCategory(db, values.categoryId)
  const ownerId = await ownerIdOf(db, values.owner)
  const id = crypto.randomUUID()
  const target = { id, externals: [], at: clock.timestamp() }
  const files = folder
    ? { ids: await copyFiles(db, by, folder, target, 'playbook'), deleted: new Set<string>() }
    : NO_FILES
  const activities = activitiesOf(sent, new Set(), files)
  await addPlaybook(db, { ...values, id, activities, ownerId, by: by.name })
  return openWithPeople(db, id)
}

/** Verbs of events that save a playbook. */
const SAVES = ['created', 'received', 'updated', 'moved', 'restored']
/**
 * A playbook, locked until the transaction ends.
 * @throws Refusal 404, or 409 `stale` where it was saved since `version`
 */
async function holdForChange(
  db: OrgDb,
  by: Acting,
  id: string,
  version: number | undefined,
): Promise<PlaybookTemplate> {
  await openedPlaybook(db, by, id, 'change')
  const playbook = await openPlaybook(db, id)
  if (version !== undefined && version !== playbook.version)
    throw stale(await findLastEditor(db, 'playbooks', id, SAVES))
  return playbook
}

interface Save {
  readonly by: string
  readonly verb: string
  readonly ownerId?: string | null
  readonly restoredFrom?: number
}
/** Saves a locked playbook as its next version. Writes nothing where nothing differs. */
async function save(
  db: OrgDb,
  before: PlaybookTemplate,
  values: PlaybookValues,
  { by, verb, ownerId, restoredFrom }: Save,
): Promise<OpenedPlaybook> {
  const { id } = before
  const changes = await changesOf(db, before, values)
  if (Object.keys(changes).length === 0) return openWithPeople(db, id)
  const { name, description, categoryId, activities, reviewDate } = values
  const now = clock.timestamp()
  const about = { updatedBy: by, updateTimestamp: now, version: before.version + 1 }
  await updatePlaybook(db, id, {
    name,
    description,
    categoryId,
    activities,
    activitiesCount: activities.length,
    reviewDate,
    ...about,
    ...(ownerId !== undefined && { ownerId }),
  })
  await keepVersion(db, { ...values, ...about, id }, restoredFrom)
  const source: Changes = restoredFrom === undefined ? {} : { restoredFrom: { from: null, to: restoredFrom } }
  record(db, { noun: 'playbooks', record: id, verb, changes: { ...changes, ...source }, at: now })
  return openWithPeople(db, id)
}

/**
 * Saves a playbook.
 * @throws Refusal 404, 409 `stale`, 400 at a field
 */
export async function changePlaybook(
  db: OrgDb,
  by: Acting,
  id: string,
  { version, activities: sent, owner, reviewDate, ...values }: PlaybookChanges,
): Promise<OpenedPlaybook> {
  const before = await holdForChange(db, by, id, version)
  demandRoom(sent, by.config.maxActivitiesPerPlaybook)
  await demandCategory(db, values.categoryId)
  const ownerId = owner === undefined || owner === before.owner ? undefined : await ownerIdOf(db, owner)
  const files = [...(await fileNamesOf(db, id)).keys()]
  const { activities: stored } = (await findPlaybook(db, id))!
  const activities = activitiesOf(sent, new Set(stored.map((item) => item.id)), {
    ids: new Map(files.map((file) => [file, file])),
    deleted: filesOf(stored),
  })
  const after: PlaybookValues = {
    ...values,
    activities,
    owner: owner === undefined ? before.owner : owner,
    reviewDate: reviewDate === undefined ? before.reviewDate : reviewDate,
  }
  return save(db, before, after, {
    by: by.name,
    verb: 'updated',
    ...(ownerId !== undefined && { ownerId }),
  })
}

/**
 * Moves a playbook to a category, or to none.
 * @throws Refusal 404, 409 `stale`, 400 for an unknown category
 */
export async function movePlaybook(
  db: OrgDb,
  by: Acting,
  id: string,
  { categoryId, version }: { categoryId: string | null; version?: number | undefined },
): Promise<OpenedPlaybook> {
  const before = await holdForChange(db, by, id, version)
  await demandCategory(db, categoryId)
  return save(db, before, { ...before, categoryId }, { by: by.name, verb: 'moved' })
}

/**
 * Deletes a playbook with its files, versions and editors.
 * @throws Refusal 404
 */
export async function removePlaybook(services: Services, db: OrgDb, by: Acting, id: string): Promise<void> {
  const { name } = await holdForChange(db, by, id, undefined)
  await removePlaybookFiles(services, db, { id, externals: [], at: clock.timestamp() })
  await deletePlaybook(db, id)
  record(db, { noun: 'playbooks', record: id, verb: 'deleted', changes: { name: { from: name, to: null } } })
}

/** @throws Refusal 404 */
export async function findVersions(
  db: OrgDb,
  by: Acting,
  id: string,
  query: Parameters<typeof listVersions>[2],
): ReturnType<typeof listVersions> {
  await openedPlaybook(db, by, id)
  return listVersions(db, id, query)
}

/**
 * A playbook as of one version.
 * @throws Refusal 404
 */
export async function openVersion(db: OrgDb, id: string, version: number): Promise<PlaybookVersionContent> {
  const found = await findVersion(db, id, version)
  if (!found) throw notFound('This version')
  return { ...found, content: { ...found.content, activities: found.content.activities.map(inOrder) } }
}

/**
 * Saves an earlier version again, without files and a category that were deleted since.
 * @throws Refusal 404, 409 `stale`, 400 with more headings and tasks than are allowed now
 */
export async function restoreVersion(
  db: OrgDb,
  by: Acting,
  { id, version: restoredFrom }: { id: string; version: number },
  version: number | undefined,
): Promise<OpenedPlaybook> {
  const before = await holdForChange(db, by, id, version)
  const { content } = await openVersion(db, id, restoredFrom)
  demandRoom(content.activities, by.config.maxActivitiesPerPlaybook)
  const { categoryId } = content
  const hasCategory = categoryId !== null && (await findCategoryName(db, categoryId)) !== undefined
  const activities = withFiles(content.activities, await fileNamesOf(db, id))
  const { owner, reviewDate } = before
  const after = { ...content, categoryId: hasCategory ? categoryId : null, activities, owner, reviewDate }
  return save(db, before, after, { by: by.name, verb: 'restored', restoredFrom })
}
