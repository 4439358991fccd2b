import { filesApi } from '#contract/files/api.ts'
import { type Move, ROOT } from '#contract/files/schema.ts'
import { call } from '#providers/api.ts'

import type { MoveConflict } from './conflicts/useConflictQuestion.tsx'
import type { Selection } from './selectionValues.ts'

/** False for a folder of the root that not everybody opens: moved back, it would be open to the readers of its new place. */
export const canMoveBack = (items: Selection): boolean =>
  items.every(
    ({ isFolder, parentFolderId, folderType }) =>
      !isFolder || parentFolderId !== ROOT || folderType === 'PUBLIC',
  )

interface Moved {
  readonly items: Selection
  readonly choices: Move['choices']
  readonly conflicts: readonly MoveConflict[]
}
/** Moves items back to their folders, under their own names, and restores the files that they replaced. */
export async function moveBack({ items, choices, conflicts }: Moved): Promise<void> {
  const folders = Map.groupBy(items, ({ parentFolderId }) => parentFolderId)
  for (const [parentFolderId, those] of folders)
    await call(filesApi.move, { body: { ids: those.map(({ id }) => id), parentFolderId, choices: [] } })
  for (const { id, choice } of choices)
    if (choice === 'replace') {
      const replaced = conflicts.find((one) => one.id === id)
      if (replaced) await call(filesApi.restore, { params: { id: replaced.conflict.item.id } })
    } else {
      const item = items.find((one) => one.id === id)
      if (item) await call(filesApi.change, { params: { id }, body: { name: item.name } })
    }
}

/** Restores items from the trash, the last one that was deleted first. */
export async function restoreItems(ids: readonly number[]): Promise<void> {
  for (const id of ids.toReversed()) await call(filesApi.restore, { params: { id } })
}

/** Puts copies into the trash. */
export async function removeItems(ids: readonly number[]): Promise<void> {
  for (const id of ids) await call(filesApi.remove, { params: { id } })
}
