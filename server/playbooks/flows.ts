import {
  type ListedPlaybook,
  type OpenedPlaybook,
  PLAYBOOK_ARCHIVED,
  type PlaybookTemplate,
  type PlaybookVersion,
  type PlaybookVersionContent,
} from '#contract/playbooks/schema.ts'
import { listFilesInPlaybooks } from '#server/attachments/store.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { findLastEditor, record } from '#server/kit/events/events.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { demand, notFound, stale } from '#server/kit/core/refusal.ts'
import { listNamed } from '#server/users/people.store.ts'
import type { Acting } from '#server/kit/http/serve.ts'

import { canWrite, openedPlaybook, PLAYBOOK } from './access.flows.ts'
import { changesOf, fileNamesOf, filesOf, type PlaybookValues, withFiles } from './content.flows.ts'
import {
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
 * A playbook that is not in the bin, with its headings and tasks in order, without references to deleted files. One that
 * was never published is as its draft.
 * @throws Refusal 404
 */
async function openAny(db: OrgDb, id: string): Promise<PlaybookTemplate> {
  const playbook = await findPlaybook(db, id)
  if (!playbook) throw notFound(PLAYBOOK)
  const hasFiles = playbook.activities.some(({ attachedFileIds }) => attachedFileIds.length > 0)
  const names = hasFiles ? await fileNamesOf(db, id) : new Map<string, string>()
  return { ...playbook, activities: withFiles(playbook.activities, names) }
}

/**
 * The published version of a playbook, also of an archived one.
 * @throws Refusal 404
 */
export async function openPlaybook(db: OrgDb, id: string): Promise<PlaybookTemplate> {
  const playbook = await openAny(db, id)
  if (!playbook.isPublished) throw notFound(PLAYBOOK)
  return playbook
}

/**
 * A playbook as the caller sees it, with the names of its people.
 * @throws Refusal 404
 */
export async function openWithPeople(db: OrgDb, by: Acting, id: string): Promise<OpenedPlaybook> {
  const playbook = await (canWrite(by) ? openAny : openPlaybook)(db, id)
  const { createdBy, updatedBy, owner, draft, start } = playbook
  const shown = [createdBy, updatedBy, owner, draft?.savedBy, ...start.people].filter(
    (email) => email != null,
  )
  return { ...asSeenBy(by, playbook), people: await listNamed(db, shown) }
}

/** A playbook without its draft, unless the caller writes playbooks. */
export const asSeenBy = <Row extends { draft: unknown }>(by: Acting, row: Row): Row =>
  canWrite(by) ? row : { ...row, draft: null }

/** A page of playbooks without headings and tasks, or all playbooks with them. */
export async function findPlaybooks(
  db: OrgDb,
  by: Acting,
  query: Parameters<typeof listPlaybooks>[1],
): Promise<Page<ListedPlaybook>> {
  const { rows, total } = await listPlaybooks(db, query, canWrite(by))
  const seen = rows.map((row) => asSeenBy(by, row))
  if (query.range) return { rows: seen, total }
  const files = await listFilesInPlaybooks(db)
  const whole = seen.map(({ activities = [], ...row }) => ({
    ...row,
    activities: withFiles(activities, files),
  }))
  return { rows: whole, total }
}

/** Stores a saved playbook as a version. */
async function keepVersion(
  db: OrgDb,
  playbook: PlaybookValues & Pick<PlaybookTemplate, 'id' | 'version' | 'updatedBy' | 'updateTimestamp'>,
  {
    restoredFrom = null,
    approvedBy = null,
  }: Partial<Pick<PlaybookVersion, 'restoredFrom' | 'approvedBy'>> = {},
): Promise<void> {
  const { id, version, updatedBy, updateTimestamp, ...values } = playbook
  const { name, description, categoryId, activities, proposal, start } = values
  const referred = filesOf(activities)
  const names = referred.size > 0 ? await fileNamesOf(db, id) : new Map<string, string>()
  await insertVersion(db, id, {
    version,
    savedBy: updatedBy,
    savedTimestamp: updateTimestamp,
    restoredFrom,
    approvedBy,
    content: { name, description, categoryId, activities, proposal, start },
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
  /** True for a draft, which becomes the first version when it is published. */
  readonly isDraft?: boolean
}
/** Adds a playbook with its first version and records it. Its files must exist already. */
export async function addPlaybook(db: OrgDb, added: AddedPlaybook): Promise<void> {
  const { id, ownerId, by, share, isDraft = false, owner: _, ...values } = added
  const now = clock.timestamp()
  const sharedBy = share ? by : null
  const about = { updatedBy: by, updateTimestamp: now, version: isDraft ? 0 : 1 }
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
    isPublished: !isDraft,
    archiveTimestamp: null,
    lastUsedTimestamp: null,
    usesCount: 0,
  })
  if (!isDraft) await keepVersion(db, { ...added, ...about })
  const changes = await changesOf(db, null, added)
  const sharing: Changes = sharedBy === null ? {} : { sharedBy: { from: null, to: sharedBy } }
  const verb = share ? 'received' : 'created'
  record(db, { noun: 'playbooks', record: id, verb, changes: { ...changes, ...sharing }, at: now })
}

/** Verbs of events that save a playbook. */
export const SAVES = ['created', 'received', 'updated', 'moved', 'restored', 'published']
/**
 * A playbook, locked until the transaction ends.
 * @throws Refusal 404, 409 for an archived one, or `stale` where it was saved since `version`
 */
export async function holdForChange(
  db: OrgDb,
  by: Acting,
  id: string,
  version: number | undefined,
): Promise<PlaybookTemplate> {
  const { archiveTimestamp } = await openedPlaybook(db, by, id, 'change')
  demand(archiveTimestamp === null, 409, PLAYBOOK_ARCHIVED)
  const playbook = await openAny(db, id)
  if (version !== undefined && version !== playbook.version)
    throw stale(await findLastEditor(db, 'playbooks', id, SAVES))
  return playbook
}

export interface Save {
  readonly verb: string
  readonly ownerId?: string | null
  readonly restoredFrom?: number
  /** Email of the author, where somebody else publishes. */
  readonly author?: string
  readonly approvedBy?: string | null
}
/** Publishes the next version of a locked playbook. Writes nothing where nothing differs. */
export async function save(
  db: OrgDb,
  by: Acting,
  before: PlaybookTemplate,
  values: PlaybookValues,
  { verb, ownerId, restoredFrom, author = by.name, approvedBy = null }: Save,
): Promise<OpenedPlaybook> {
  const { id } = before
  const changes = await changesOf(db, before.isPublished ? before : null, values)
  if (Object.keys(changes).length === 0) return openWithPeople(db, by, id)
  const { name, description, categoryId, activities, proposal, start, reviewDate } = values
  const now = clock.timestamp()
  const about = { updatedBy: author, updateTimestamp: now, version: before.version + 1 }
  await updatePlaybook(db, id, {
    name,
    description,
    categoryId,
    activities,
    activitiesCount: activities.length,
    proposal,
    start,
    reviewDate,
    isPublished: true,
    ...about,
    ...(ownerId !== undefined && { ownerId }),
  })
  await keepVersion(db, { ...values, ...about, id }, { restoredFrom: restoredFrom ?? null, approvedBy })
  const source: Changes = {
    ...(restoredFrom !== undefined && { restoredFrom: { from: null, to: restoredFrom } }),
    ...(approvedBy !== null && { author: { from: null, to: author } }),
  }
  record(db, { noun: 'playbooks', record: id, verb, changes: { ...changes, ...source }, at: now })
  return openWithPeople(db, by, id)
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
export async function openVersion(
  db: OrgDb,
  by: Acting,
  id: string,
  version: number,
): Promise<PlaybookVersionContent> {
  await openedPlaybook(db, by, id)
  const found = await findVersion(db, id, version)
  if (!found) throw notFound('This version')
  return { ...found, content: { ...found.content, activities: found.content.activities.map(inOrder) } }
}
