import {
  RESTORE_FOLDER_FIRST,
  ROOT,
  type StorageItem,
  TRASH_DAYS,
  type TrashedItem,
} from '#contract/files/schema.ts'
import type { filesApi } from '#contract/files/api.ts'
import type { Input } from '#contract/kit/endpoint.ts'
import { DAY } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { demand, notFound } from '#server/kit/core/refusal.ts'
import type { Services } from '#server/kit/services.ts'

import {
  type Acting,
  changing,
  demandDepth,
  demandEditable,
  demandNoHold,
  demandOpenToNew,
  ITEM,
  openedItem,
  recordItem,
  toItem,
  type Viewer,
  viewerOf,
} from './access.flows.ts'
import { moveToTrash } from './deletions.flows.ts'
import { demandFree, placesOf } from './flows.ts'
import { place } from './moves.flows.ts'
import { findHeight, findItem, findTrashed, type ItemRow } from './store.ts'
import { listLiving, listTrashed, updateRestored } from './trash.store.ts'
import { deleteTree } from './versions.store.ts'

/** Moves a file, or a folder with everything in it, to the trash. */
export async function removeItem(db: OrgDb, by: Acting, id: number): Promise<void> {
  const viewer = await changing(db, by)
  const row = await openedItem(db, viewer, id)
  demandEditable(viewer, row)
  await demandNoHold(db, row)
  await moveToTrash(db, viewer, row)
}

/** A page of the trash: for administrators everything, for others their own deletions. */
export async function trashOf(
  db: OrgDb,
  by: Acting,
  query: Input<(typeof filesApi)['trash']>['query'],
): Promise<Page<TrashedItem>> {
  const viewer = await viewerOf(db, by)
  const { ids, total } = await listTrashed(db, viewer.hidden, viewer.isAdmin ? null : viewer.email, query)
  const rows = await findTrashed(db, ids)
  const places = await placesOf(db, rows)
  return {
    rows: rows.map((row, at) => ({
      ...toItem(viewer, row),
      deletedBy: row.deletedBy!,
      deletedByName: row.deletedByName!,
      deleteTimestamp: row.deleteTimestamp!,
      expireTimestamp: new Date(Date.parse(row.deleteTimestamp!) + TRASH_DAYS * DAY).toISOString(),
      path: places[at]!,
    })),
    total,
  }
}

/** An item in the trash that the viewer may restore or purge. */
async function openedTrashed(db: OrgDb, viewer: Viewer, id: number): Promise<ItemRow> {
  const [row] = await findTrashed(db, [id])
  const isTheirs = row && row.trashId === id && (viewer.isAdmin || row.deletedBy === viewer.email)
  if (!isTheirs || viewer.hidden.includes(row.rootId)) throw notFound(ITEM)
  return row
}

/**
 * Restores a deleted file or folder to its folder, or to the nearest folder above that is not deleted; else to the root.
 * @throws Refusal 404, 409 where the name is taken, where the folder is on legal hold, or where a file of a restricted folder would come to lie in the root,
 * which is open to everybody
 */
export async function restoreItem(db: OrgDb, by: Acting, id: number): Promise<StorageItem> {
  const viewer = await changing(db, by)
  const row = await openedTrashed(db, viewer, id)
  const living = await listLiving(db, row.path)
  const parentId = row.path.findLast((above) => living.has(above)) ?? ROOT
  const isRestricted = viewer.restrictions.has(row.rootId)
  const comesToRoot = parentId === ROOT && row.parentFolderId !== ROOT
  demand(!(comesToRoot && isRestricted && !row.isFolder), 409, RESTORE_FOLDER_FIRST)
  const folder = parentId === ROOT ? null : (await findItem(db, parentId))!
  demandOpenToNew(folder)
  await demandFree(db, viewer, parentId, row)
  await updateRestored(db, row)
  if (parentId !== row.parentFolderId) {
    if (row.isFolder) demandDepth(folder, await findHeight(db, row))
    await place(db, viewer, row, folder)
  }
  recordItem(db, row, 'restored')
  return toItem(await viewerOf(db, by), (await findItem(db, id))!)
}

/** Deletes an item in the trash permanently. */
export async function purgeItem({ blobs }: Services, db: OrgDb, by: Acting, id: number): Promise<void> {
  const viewer = await changing(db, by)
  const row = await openedTrashed(db, viewer, id)
  await demandNoHold(db, row)
  await deleteTree(db, blobs, row)
  recordItem(db, row, 'deleted for good')
}
