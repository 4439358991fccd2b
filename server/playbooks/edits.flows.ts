import {
  type NewPlaybook,
  type OpenedPlaybook,
  type PlaybookChanges,
  PLAYBOOKS_LIMIT_REACHED,
} from '#contract/playbooks/schema.ts'
import { copyFiles } from '#server/attachments/flows.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { demand } from '#server/kit/core/refusal.ts'
import type { Acting } from '#server/kit/http/serve.ts'

import {
  activitiesOf,
  demandCategory,
  demandRoom,
  fileNamesOf,
  filesOf,
  NO_FILES,
  ownerIdOf,
  type PlaybookValues,
  withFiles,
} from './content.flows.ts'
import { addPlaybook, holdForChange, openVersion, openWithPeople, save } from './flows.ts'
import { countForAdding, findCategoryName, findPlaybook } from './store.ts'

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
