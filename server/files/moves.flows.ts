import {
  type FolderType,
  INTO_ITSELF,
  ON_LEGAL_HOLD,
  ROOT,
  type StorageItem,
} from '#contract/files/schema.ts'
import { clock } from '#server/kit/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { demand, notFound } from '#server/kit/http/refusal.ts'

import {
  type Acting,
  changing,
  demandDepth,
  demandEditable,
  demandOpenToNew,
  ITEM,
  openedFolder,
  pathIn,
  recordItem,
  toItem,
  type Viewer,
  viewerOf,
} from './access.flows.ts'
import { demandFree } from './flows.ts'
import {
  findHeight,
  hasHold,
  type ItemRow,
  listItems,
  listNames,
  updateGroups,
  updatePlace,
} from './store.ts'

/** Moves files and folders to another folder: all of them or none. What lies in a moved folder moves with it. */
export async function moveItems(
  db: OrgDb,
  by: Acting,
  ids: readonly number[],
  parentFolderId: number,
): Promise<StorageItem[]> {
  const viewer = await changing(db, by)
  const folder = await openedFolder(db, viewer, parentFolderId)
  const rows = await openedItems(db, viewer, ids)
  const moved = tops(rows).filter((row) => row.parentFolderId !== parentFolderId)
  for (const row of moved) {
    demandEditable(viewer, row)
    demand(!(row.isFolder && pathIn(folder).includes(row.id)), 400, INTO_ITSELF)
  }
  if (moved.length > 0) demandOpenToNew(folder)
  // One after the other: each sees the names of those before it.
  for (const row of moved) await moveItem(db, viewer, row, folder)
  const now = await viewerOf(db, by)
  return (await openedItems(db, now, ids)).map((row) => toItem(now, row))
}

/** @throws Refusal 404 where one of them cannot be opened */
async function openedItems(db: OrgDb, viewer: Viewer, ids: readonly number[]): Promise<ItemRow[]> {
  const wanted = [...new Set(ids)]
  const rows = await listItems(db, wanted)
  if (rows.length < wanted.length || rows.some(({ rootId }) => viewer.hidden.includes(rootId)))
    throw notFound(ITEM)
  return rows
}

/** Those that lie in none of the others. */
export function tops(rows: readonly ItemRow[]): ItemRow[] {
  const ids = new Set(rows.map(({ id }) => id))
  return rows.filter(({ path }) => !path.some((id) => ids.has(id)))
}

async function moveItem(db: OrgDb, viewer: Viewer, row: ItemRow, folder: ItemRow | null): Promise<void> {
  if (row.isFolder) {
    demand(!(await hasHold(db, row)), 409, ON_LEGAL_HOLD)
    demandDepth(folder, await findHeight(db, row))
  }
  await demandFree(db, viewer, folder?.id ?? ROOT, row)
  await place(db, viewer, row, folder)
  const names = await listNames(db, [row.parentFolderId, folder?.id ?? ROOT])
  const nameOf = (id: number) => names.get(id)?.name ?? null
  recordItem(db, row, 'moved', {
    folder: { from: nameOf(row.parentFolderId), to: nameOf(folder?.id ?? ROOT) },
  })
}

/** Puts something into a folder. A folder that comes to lie in the root is open to the same people as before. */
export async function place(db: OrgDb, viewer: Viewer, row: ItemRow, folder: ItemRow | null): Promise<void> {
  const restriction = viewer.restrictions.get(row.rootId)
  const staysRestricted = folder === null && row.isFolder ? restriction : undefined
  const folderType: FolderType = staysRestricted?.folderType ?? 'PUBLIC'
  await updatePlace(
    db,
    row,
    { parentId: folder?.id ?? ROOT, path: pathIn(folder), folderType },
    clock.timestamp(),
  )
  if (row.isFolder) await updateGroups(db, row.id, staysRestricted?.groupIds ?? [])
}
