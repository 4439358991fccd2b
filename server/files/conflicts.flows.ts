import { nameKey, type NameConflict, type PlannedNames, ROOT } from '#contract/files/schema.ts'
import { cut } from '#contract/kit/cut.ts'
import { SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

import { type Acting, openedFolder, toItem, type Viewer, viewerOf } from './access.flows.ts'
import { listAt, listNamed, nameKeyOf } from './store.ts'

/** Planned names that are taken in a folder, or in one below it. A folder that does not exist has no conflicts. */
export async function conflictsIn(
  db: OrgDb,
  by: Acting,
  id: number,
  { folders }: PlannedNames,
): Promise<NameConflict[]> {
  const viewer = await viewerOf(db, by)
  const target = await openedFolder(db, viewer, id)
  const ids = await foldersBelow(db, viewer, target?.id ?? ROOT, folders)
  const places = folders.flatMap(({ names }, folder) => {
    const parentId = ids[folder]
    return parentId === undefined ? [] : names.map((name) => ({ folder, name, parentId, key: nameKey(name) }))
  })
  const taken = await listAt(db, places, viewer.hidden)
  const items = new Map(taken.map((row) => [keyAt(row.parentFolderId, nameKeyOf(row)), toItem(viewer, row)]))
  return places.flatMap(({ folder, name, parentId, key }) => {
    const item = items.get(keyAt(parentId, key))
    return item ? [{ folder, name, item, canReplace: !item.isFolder && item.isEditable }] : []
  })
}

const keyAt = (parentId: number, key: string): string => `${parentId}/${key}`

/** Ids of the folders at paths below a folder, undefined for those that do not exist: one query for each level. */
async function foldersBelow(
  db: OrgDb,
  viewer: Viewer,
  targetId: number,
  folders: PlannedNames['folders'],
): Promise<(number | undefined)[]> {
  const ids: (number | undefined)[] = folders.map(() => targetId)
  const deepest = Math.max(0, ...folders.map(({ path }) => path.length))
  for (let level = 0; level < deepest; level += 1) {
    const steps = folders.flatMap(({ path }, index) => {
      const parentId = ids[index]
      return parentId === undefined || path.length <= level
        ? []
        : [{ index, parentId, key: nameKey(path[level]!) }]
    })
    const rows = (await listAt(db, steps, viewer.hidden)).filter(({ isFolder }) => isFolder)
    const found = new Map(rows.map((row) => [keyAt(row.parentFolderId, nameKeyOf(row)), row.id]))
    for (const { index, parentId, key } of steps) ids[index] = found.get(keyAt(parentId, key))
  }
  return ids
}

/** Names that are looked up in one query. */
const NAMES_AT_ONCE = 50

/**
 * The first of "name (2)", "name (3)" and so on that is free in a folder.
 * @param except keys of names that are about to be taken
 */
export async function freeName<Named extends { readonly name: string; readonly extension: string }>(
  db: OrgDb,
  viewer: Viewer,
  parentId: number,
  { name, extension }: Named,
  except: ReadonlySet<string> = new Set(),
): Promise<{ name: string; extension: string }> {
  for (let first = 2; ; first += NAMES_AT_ONCE) {
    const names = Array.from({ length: NAMES_AT_ONCE }, (_, n) => {
      const number = ` (${first + n})`
      return { name: cut(name, SHORT_TEXT_MAX - number.length) + number, extension }
    })
    const rows = await listNamed(db, parentId, names, viewer.hidden)
    const taken = new Set(rows.map(nameKeyOf))
    const free = names.find((one) => !taken.has(nameKeyOf(one)) && !except.has(nameKeyOf(one)))
    if (free) return free
  }
}
