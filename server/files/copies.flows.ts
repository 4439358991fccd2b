import {
  type Copy,
  COPY_INTO_ITSELF,
  ITEMS_AT_ONCE,
  ROOT,
  type StorageItem,
  TOO_MANY_COPIES,
} from '#contract/files/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { clock } from '#server/kit/core/clock.ts'
import { demand } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { runHook } from '#server/kit/database/hooks.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  changing,
  contentChanges,
  demandDepth,
  demandOpenToNew,
  openedFolder,
  pathIn,
  recordItem,
  toItem,
  type Viewer,
  viewerOf,
} from './access.flows.ts'
import { freeName } from './conflicts.flows.ts'
import { insertCopies, insertCopiedVersions, listBelow, type NewCopy } from './copies.store.ts'
import { openedItems, tops } from './moves.flows.ts'
import {
  findHeight,
  type ItemRow,
  listItems,
  listNamed,
  listNames,
  nameKeyOf,
  updateGroups,
} from './store.ts'

/**
 * Copies files and folders, with everything in them, to another folder or beside the originals: all or none. Each file
 * begins with its newest content, whose bytes it shares with the original, so that a copy takes no storage.
 */
export async function copyItems(
  { jobs }: Pick<Services, 'jobs'>,
  db: OrgDb,
  by: Caller,
  { ids, parentFolderId }: Copy,
): Promise<StorageItem[]> {
  const viewer = await changing(db, by)
  const folder = await openedFolder(db, viewer, parentFolderId)
  demandOpenToNew(folder)
  const originals = tops(await openedItems(db, viewer, ids))
  for (const row of originals) {
    demand(!(row.isFolder && pathIn(folder).includes(row.id)), 400, COPY_INTO_ITSELF)
    if (row.isFolder) demandDepth(folder, await findHeight(db, row))
  }
  const below = await listBelow(db, originals, ITEMS_AT_ONCE + 1 - originals.length)
  demand(originals.length + below.length <= ITEMS_AT_ONCE, 400, TOO_MANY_COPIES)
  const names = await namesIn(db, viewer, folder?.id ?? ROOT, originals)
  const copies = await insertAll(db, viewer, folder, { originals, below, names })
  await insertCopiedVersions(db, copies, { createdBy: viewer.email, at: clock.timestamp() })
  await recordCopies(db, folder, originals, copies)
  for (const { isFolder, copyId } of copies)
    if (!isFolder) await runHook(db, 'fileContentChanged', { jobs, itemId: copyId })
  const now = await viewerOf(db, by)
  const newIds = new Map(copies.map(({ id, copyId }) => [id, copyId]))
  const rows = await listItems(
    db,
    originals.map(({ id }) => newIds.get(id)!),
  )
  return rows.map((row) => toItem(now, row))
}

/** Names of the copies in a folder, by the ids of their originals. */
async function namesIn(
  db: OrgDb,
  viewer: Viewer,
  parentId: number,
  originals: readonly ItemRow[],
): Promise<Map<number, string>> {
  const keys = new Set((await listNamed(db, parentId, originals, viewer.hidden)).map(nameKeyOf))
  const names = new Map<number, string>()
  for (const row of originals) {
    const named = keys.has(nameKeyOf(row)) ? await freeName(db, viewer, parentId, row, keys) : row
    keys.add(nameKeyOf(named))
    names.set(row.id, named.name)
  }
  return names
}

interface Copied {
  readonly originals: readonly ItemRow[]
  /** Everything below the folders among the originals. */
  readonly below: readonly ItemRow[]
  readonly names: ReadonlyMap<number, string>
}

/** Inserts the rows of all copies, one level of folders after the other. */
async function insertAll(
  db: OrgDb,
  viewer: Viewer,
  folder: ItemRow | null,
  { originals, below, names }: Copied,
): Promise<(ItemRow & { readonly copyId: number })[]> {
  const at = clock.timestamp()
  const top = new Set(originals.map(({ id }) => id))
  const paths = new Map<number, readonly number[]>()
  const copies: (ItemRow & { copyId: number })[] = []
  let level: readonly ItemRow[] = originals
  while (level.length > 0) {
    const planned = level.map((row): NewCopy => {
      const path = paths.get(row.parentFolderId) ?? pathIn(folder)
      const isTop = top.has(row.id)
      const named = { name: names.get(row.id) ?? row.name, extension: row.extension }
      return { row, ...named, nameKey: nameKeyOf(named), path: isTop ? pathIn(folder) : path }
    })
    const made = await insertCopies(db, planned, { createdBy: viewer.email, at })
    for (const [index, { row, path }] of planned.entries()) {
      const copyId = made[index]!
      copies.push({ ...row, name: planned[index]!.name, copyId })
      paths.set(row.id, [...path, copyId])
    }
    const parents = new Set(level.map(({ id }) => id))
    level = below.filter(({ parentFolderId }) => parents.has(parentFolderId))
  }
  if (folder === null) await keepReaders(db, viewer, originals, copies)
  return copies
}

/** A folder of a restricted one that is copied to the root stays open to its readers alone, as if it was moved. */
async function keepReaders(
  db: OrgDb,
  viewer: Viewer,
  originals: readonly ItemRow[],
  copies: readonly (ItemRow & { readonly copyId: number })[],
): Promise<void> {
  const newIds = new Map(copies.map(({ id, copyId }) => [id, copyId]))
  for (const { id, isFolder, rootId } of originals) {
    const restriction = viewer.restrictions.get(rootId)
    if (!isFolder || !restriction) continue
    await db
      .updateTable('file_items')
      .set({ folder_type: restriction.folderType })
      .where('id', '=', newIds.get(id)!)
      .execute()
    await updateGroups(db, newIds.get(id)!, restriction.groupIds)
  }
}

/** Records each new item, and at the originals that they were copied. */
async function recordCopies(
  db: OrgDb,
  folder: ItemRow | null,
  originals: readonly ItemRow[],
  copies: readonly (ItemRow & { readonly copyId: number })[],
): Promise<void> {
  const folders = await listNames(db, [...new Set(originals.map((row) => row.parentFolderId))])
  for (const row of originals) {
    const from = folders.get(row.parentFolderId)?.name ?? null
    recordItem(db, row, 'copied', { folder: { from, to: folder?.name ?? null } })
  }
  const known = new Map([...originals].map((row) => [row.id, row]))
  for (const { copyId, ...copy } of copies) {
    const row = { ...copy, id: copyId, fileVersion: 1 }
    const copyOf = { from: null, to: wholeName(known.get(copy.id) ?? copy) }
    recordItem(db, row, 'added', { ...(copy.isFolder ? {} : contentChanges(null, row)), copyOf })
  }
}
