import { type FolderType, INTO_ITSELF, NAME_TAKEN, ROOT, type StorageItem } from '#contract/files/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { demand, notFound, wrongField } from '#server/kit/core/refusal.ts'

import {
  type Acting,
  changing,
  demandDepth,
  demandEditable,
  demandNoHold,
  demandOpenToNew,
  ITEM,
  openedFolder,
  pathIn,
  recordItem,
  toItem,
  type Viewer,
  viewerOf,
} from './access.flows.ts'
import {
  findHeight,
  type ItemRow,
  listItems,
  listNamed,
  listNames,
  nameKeyOf,
  updateFilePlaces,
  updateGroups,
  updatePlace,
} from './store.ts'

/** Moves files and folders, with everything below them, to another folder: all or none. */
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
  if (moved.length > 0) await moveAll(db, viewer, moved, folder)
  const now = await viewerOf(db, by)
  return (await openedItems(db, now, ids)).map((row) => toItem(now, row))
}

/** Moves the topmost of the items. Files move in one statement, since there may be a thousand. */
async function moveAll(
  db: OrgDb,
  viewer: Viewer,
  moved: readonly ItemRow[],
  folder: ItemRow | null,
): Promise<void> {
  demandOpenToNew(folder)
  await demandAllFree(db, viewer, folder, moved)
  const files = moved.filter(({ isFolder }) => !isFolder)
  await updateFilePlaces(db, files, { parentId: folder?.id ?? ROOT, path: pathIn(folder) }, clock.timestamp())
  for (const row of moved.filter(({ isFolder }) => isFolder)) {
    await demandNoHold(db, row)
    demandDepth(folder, await findHeight(db, row))
    await place(db, viewer, row, folder)
  }
  const names = await listNames(db, [...new Set(moved.map((row) => row.parentFolderId))])
  for (const row of moved) {
    const from = names.get(row.parentFolderId)?.name ?? null
    recordItem(db, row, 'moved', { folder: { from, to: folder?.name ?? null } })
  }
}

/** @throws Refusal 409 where two items, or an item and one in the folder, have the same name */
async function demandAllFree(
  db: OrgDb,
  viewer: Viewer,
  folder: ItemRow | null,
  moved: readonly ItemRow[],
): Promise<void> {
  const keys = new Set(moved.map(nameKeyOf))
  const taken = await listNamed(db, folder?.id ?? ROOT, moved, viewer.hidden)
  if (keys.size < moved.length || taken.length > 0) throw wrongField('name', NAME_TAKEN, 409)
}

/** @throws Refusal 404 where the viewer may not open one of them */
async function openedItems(db: OrgDb, viewer: Viewer, ids: readonly number[]): Promise<ItemRow[]> {
  const wanted = [...new Set(ids)]
  const rows = await listItems(db, wanted)
  if (rows.length < wanted.length || rows.some(({ rootId }) => viewer.hidden.includes(rootId)))
    throw notFound(ITEM)
  return rows
}

/** The rows that lie in none of the others. */
export function tops(rows: readonly ItemRow[]): ItemRow[] {
  const ids = new Set(rows.map(({ id }) => id))
  return rows.filter(({ path }) => !path.some((id) => ids.has(id)))
}

/** Moves an item into a folder. A folder that is moved to the root keeps its readers. */
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
