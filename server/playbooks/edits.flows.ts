import type {
  NewPlaybook,
  OpenedPlaybook,
  PlaybookActivity,
  PlaybookChanges,
} from '#contract/playbooks/schema.ts'
import { copyFiles } from '#server/attachments/flows.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Acting } from '#server/kit/http/serve.ts'

import { demandRoomForPlaybook } from './bin.flows.ts'
import {
  activitiesOf,
  demandCategory,
  demandRoom,
  demandStart,
  fileNamesOf,
  filesOf,
  NO_FILES,
  ownerIdOf,
  type PlaybookValues,
  withFiles,
} from './content.flows.ts'
import { type DraftServices, demandSeen, draftStateOf, keepDraft, publish } from './drafts.flows.ts'
import { findDraft, updateDraftCategory } from './drafts.store.ts'
import { addPlaybook, holdForChange, openVersion, openWithPeople, save } from './flows.ts'
import { findCategoryName, findPlaybook } from './store.ts'

/**
 * Creates a playbook, with copies of a set of files where one is named: published, or as a draft.
 * @throws Refusal 403 at the limit, 400 at a field, 404 for an unknown set of files
 */
export async function createPlaybook(
  services: DraftServices,
  db: OrgDb,
  by: Acting,
  { attachmentsFolderIdForDuplication: folder, activities: sent, asDraft, ...values }: NewPlaybook,
): Promise<OpenedPlaybook> {
  await demandRoomForPlaybook(db, by)
  demandRoom(sent, by.config.maxActivitiesPerPlaybook)
  await demandCategory(db, values.categoryId)
  await demandStart(db, values.start)
  const ownerId = await ownerIdOf(db, values.owner)
  const id = crypto.randomUUID()
  const target = { id, externals: [], at: clock.timestamp() }
  const files = folder
    ? { ids: await copyFiles(db, by, folder, target, 'playbook'), deleted: new Set<string>() }
    : NO_FILES
  const activities = await activitiesOf(sent, [], files)
  const state = draftStateOf(by, asDraft)
  await addPlaybook(db, { ...values, id, activities, ownerId, by: by.name, isDraft: state !== null })
  if (state) {
    const before = (await findPlaybook(db, id))!
    await keepDraft(services, db, by, { before, draft: undefined, state, ownerId }, { ...values, activities })
  }
  return openWithPeople(db, by, id)
}

type Edits = Pick<
  PlaybookChanges,
  'name' | 'description' | 'categoryId' | 'activities' | 'owner' | 'reviewDate' | 'proposal' | 'start'
>
/**
 * The values of a save, and the id of a changed owner.
 * @param edited the published playbook or its draft, whose owner, review date, proposal and start stay unless others are
 * sent
 * @param stored items whose ids and files the sent ones may have
 * @throws Refusal 400 at a field
 */
async function editedValues(
  db: OrgDb,
  by: Acting,
  { activities: sent, owner, reviewDate, proposal, start, ...values }: Edits,
  {
    id,
    edited,
    stored,
  }: {
    readonly id: string
    readonly edited: Pick<PlaybookValues, 'owner' | 'reviewDate' | 'proposal' | 'start'>
    readonly stored: readonly PlaybookActivity[]
  },
): Promise<{ after: PlaybookValues; ownerId: string | null | undefined }> {
  demandRoom(sent, by.config.maxActivitiesPerPlaybook)
  await demandCategory(db, values.categoryId)
  if (start) await demandStart(db, start, edited.start)
  const ownerId = owner === undefined || owner === edited.owner ? undefined : await ownerIdOf(db, owner)
  const files = [...(await fileNamesOf(db, id)).keys()]
  const activities = await activitiesOf(sent, stored, {
    ids: new Map(files.map((file) => [file, file])),
    deleted: filesOf(stored),
  })
  const after = {
    ...values,
    activities,
    proposal: proposal ?? edited.proposal,
    start: start ?? edited.start,
    owner: owner === undefined ? edited.owner : owner,
    reviewDate: reviewDate === undefined ? edited.reviewDate : reviewDate,
  }
  return { after, ownerId }
}

/**
 * Saves a playbook: publishes it, or keeps the save as its draft.
 * @throws Refusal 404, 409 `stale` or `draft`, 400 at a field
 */
export async function changePlaybook(
  services: DraftServices,
  db: OrgDb,
  by: Acting,
  id: string,
  { version, asDraft, draftRevision, ...edits }: PlaybookChanges,
): Promise<OpenedPlaybook> {
  const before = await holdForChange(db, by, id, version)
  const found = await findDraft(db, id)
  const state = draftStateOf(by, asDraft)
  const replacesDraft = state !== null || draftRevision !== undefined || !before.isPublished
  if (replacesDraft) demandSeen(by, found, draftRevision)
  /** The draft that the save replaces or publishes. */
  const draft = replacesDraft ? found : undefined
  const stored = [...(await findPlaybook(db, id))!.activities, ...(draft?.content.activities ?? [])]
  const { after, ownerId } = await editedValues(db, by, edits, {
    id,
    edited: draft ? { ...draft.content, owner: draft.owner, reviewDate: draft.reviewDate } : before,
    stored,
  })
  if (state) {
    await keepDraft(services, db, by, { before, draft, state, ownerId }, after)
    return openWithPeople(db, by, id)
  }
  const publishedOwner = ownerId === undefined ? draft?.ownerId : ownerId
  return (draft ? publish : save)(db, by, before, after, {
    verb: before.isPublished ? 'updated' : 'published',
    ...(publishedOwner !== undefined && { ownerId: publishedOwner }),
  })
}

/**
 * Moves a playbook to a category, or to none; its draft moves along.
 * @throws Refusal 404, 409 `stale`, 400 for an unknown category
 */
export async function movePlaybook(
  services: DraftServices,
  db: OrgDb,
  by: Acting,
  id: string,
  { categoryId, version }: { categoryId: string | null; version?: number | undefined },
): Promise<OpenedPlaybook> {
  const before = await holdForChange(db, by, id, version)
  await demandCategory(db, categoryId)
  const draft = await findDraft(db, id)
  if (!before.isPublished && draft) {
    const { state, owner, reviewDate } = draft
    const after = { ...draft.content, categoryId, owner, reviewDate }
    await keepDraft(services, db, by, { before, draft, state, ownerId: undefined }, after)
    return openWithPeople(db, by, id)
  }
  if (draft) await updateDraftCategory(db, id, categoryId, before.version)
  return save(db, by, before, { ...before, categoryId }, { verb: 'moved' })
}

/**
 * Saves an earlier version again, without files and a category that were deleted since.
 * @throws Refusal 404, 409 `stale` or `draft`, 400 with more headings and tasks than are allowed now
 */
export async function restoreVersion(
  services: DraftServices,
  db: OrgDb,
  by: Acting,
  { id, version: restoredFrom }: { id: string; version: number },
  version: number | undefined,
): Promise<OpenedPlaybook> {
  const before = await holdForChange(db, by, id, version)
  const { content } = await openVersion(db, by, id, restoredFrom)
  demandRoom(content.activities, by.config.maxActivitiesPerPlaybook)
  const { categoryId } = content
  const hasCategory = categoryId !== null && (await findCategoryName(db, categoryId)) !== undefined
  const activities = withFiles(content.activities, await fileNamesOf(db, id))
  const { owner, reviewDate } = before
  const after = { ...content, categoryId: hasCategory ? categoryId : null, activities, owner, reviewDate }
  const state = draftStateOf(by)
  if (state) {
    const draft = await findDraft(db, id)
    demandSeen(by, draft, undefined)
    await keepDraft(services, db, by, { before, draft, state, ownerId: undefined }, after)
    return openWithPeople(db, by, id)
  }
  return save(db, by, before, after, { verb: 'restored', restoredFrom })
}
