import type {
  ListedPlaybook,
  OpenedPlaybook,
  PlaybookTemplate,
  PlaybookVersionContent,
} from '#contract/playbooks/schema.ts'
import { removePlaybookFiles } from '#server/attachments/flows.ts'
import { listFilesInPlaybooks } from '#server/attachments/store.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { findLastEditor, record } from '#server/kit/events/events.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { notFound, stale } from '#server/kit/core/refusal.ts'
import type { Services } from '#server/kit/services.ts'
import { listNamed } from '#server/users/people.store.ts'
import type { Acting } from '#server/kit/http/serve.ts'

import { openedPlaybook, PLAYBOOK } from './access.flows.ts'
import { changesOf, fileNamesOf, filesOf, type PlaybookValues, withFiles } from './content.flows.ts'
import {
  deletePlaybook,
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

/** Verbs of events that save a playbook. */
const SAVES = ['created', 'received', 'updated', 'moved', 'restored']
/**
 * A playbook, locked until the transaction ends.
 * @throws Refusal 404, or 409 `stale` where it was saved since `version`
 */
export async function holdForChange(
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

export interface Save {
  readonly by: string
  readonly verb: string
  readonly ownerId?: string | null
  readonly restoredFrom?: number
}
/** Saves a locked playbook as its next version. Writes nothing where nothing differs. */
export async function save(
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
