import {
  type FolderType,
  INTO_ITSELF,
  type Move,
  NAME_TAKEN,
  ROOT,
  type StorageItem,
} from '#contract/files/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
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
import { freeName } from './conflicts.flows.ts'
import { moveToTrash } from './deletions.flows.ts'
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
import { demandReplaceable } from './upload.flows.ts'

/** Moves files and folders, with everything below them, to another folder: all or none. */
export async function moveItems(
  db: OrgDb,
  by: Acting,
  { ids, parentFolderId, choices }: Move,
): Promise<StorageItem[]> {
  const viewer = await changing(db, by)
  const folder = await openedFolder(db, viewer, parentFolderId)
  const rows = await openedItems(db, viewer, ids)
  const moved = tops(rows).filter((row) => row.parentFolderId !== parentFolderId)
  for (const row of moved) {
    demandEditable(viewer, row)
    demand(!(row.isFolder && pathIn(folder).includes(row.id)), 400, INTO_ITSELF)
  }
  if (moved.length > 0) await moveAll(db, viewer, moved, folder, choices)
  const now = await viewerOf(db, by)
  return (await openedItems(db, now, ids)).map((row) => toItem(now, row))
}

/** Moves the topmost of the items. Files that keep their names move in one statement, since there may be a thousand. */
async function moveAll(
  db: OrgDb,
  viewer: Viewer,
  moved: readonly ItemRow[],
  folder: ItemRow | null,
  choices: Move['choices'],
): Promise<void> {
  demandOpenToNew(folder)
  const names = await namesIn(db, viewer, folder, moved, choices)
  const isPlain = ({ id, isFolder }: ItemRow) => !isFolder && !names.has(id)
  const to = { parentId: folder?.id ?? ROOT, path: pathIn(folder) }
  await updateFilePlaces(db, moved.filter(isPlain), to, clock.timestamp())
  for (const row of moved.filter((one) => !isPlain(one))) {
    await demandNoHold(db, row)
    if (row.isFolder) demandDepth(folder, await findHeight(db, row))
    await place(db, viewer, row, folder, names.get(row.id))
  }
  const folders = await listNames(db, [...new Set(moved.map((row) => row.parentFolderId))])
  for (const row of moved) {
    const from = folders.get(row.parentFolderId)?.name ?? null
    recordItem(db, row, 'moved', { folder: { from, to: folder?.name ?? null } })
    const name = names.get(row.id)
    if (name !== undefined)
      recordItem(db, { ...row, name }, 'renamed', {
        name: { from: wholeName(row), to: wholeName({ ...row, name }) },
      })
  }
}

/**
 * Makes room for the moved items' names, as chosen: a file that is replaced goes to the trash.
 * @returns new names of the items that are kept beside others, by their ids
 * @throws Refusal 409 where two items, or an item and one in the folder, have the same name without a choice
 */
async function namesIn(
  db: OrgDb,
  viewer: Viewer,
  folder: ItemRow | null,
  moved: readonly ItemRow[],
  choices: Move['choices'],
): Promise<Map<number, string>> {
  const parentId = folder?.id ?? ROOT
  const taken = new Map(
    (await listNamed(db, parentId, moved, viewer.hidden)).map((row) => [nameKeyOf(row), row]),
  )
  const chosen = new Map(choices.map(({ id, choice }) => [id, choice]))
  const keys = new Set<string>()
  const names = new Map<number, string>()
  for (const row of moved) {
    const rival = taken.get(nameKeyOf(row))
    const isFree = !rival && !keys.has(nameKeyOf(row))
    const choice = isFree ? undefined : chosen.get(row.id)
    if (choice === 'keepBoth') {
      const named = await freeName(db, viewer, parentId, row, keys)
      names.set(row.id, named.name)
      keys.add(nameKeyOf(named))
      continue
    }
    if (!isFree) {
      if (choice !== 'replace' || !rival || row.isFolder || keys.has(nameKeyOf(row)))
        throw wrongField('name', NAME_TAKEN, 409)
      demandReplaceable(viewer, rival)
      await moveToTrash(db, viewer, rival)
    }
    keys.add(nameKeyOf(row))
  }
  return names
}

/** @throws Refusal 404 where the viewer may not open one of them */
export async function openedItems(db: OrgDb, viewer: Viewer, ids: readonly number[]): Promise<ItemRow[]> {
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

/** Moves an item into a folder, by another name where one is given. A folder that is moved to the root keeps its readers. */
export async function place(
  db: OrgDb,
  viewer: Viewer,
  row: ItemRow,
  folder: ItemRow | null,
  name: string = row.name,
): Promise<void> {
  const restriction = viewer.restrictions.get(row.rootId)
  const staysRestricted = folder === null && row.isFolder ? restriction : undefined
  const folderType: FolderType = staysRestricted?.folderType ?? 'PUBLIC'
  await updatePlace(
    db,
    row,
    { parentId: folder?.id ?? ROOT, path: pathIn(folder), folderType, name },
    clock.timestamp(),
  )
  if (row.isFolder) await updateGroups(db, row.id, staysRestricted?.groupIds ?? [])
}
