import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { runHook } from '#server/kit/database/hooks.ts'

import { recordItem, type Viewer } from './access.flows.ts'
import type { ItemRow } from './store.ts'
import { updateTrashed } from './trash.store.ts'

declare module '#server/kit/database/hooks.ts' {
  interface Hooks {
    /** A file, or a folder with everything in it, is moved to the trash. */
    itemDeleted: { readonly item: Pick<ItemRow, 'id' | 'rootId'>; readonly by: string }
  }
}

/** Moves a file, or a folder with everything in it, to the trash. */
export async function moveToTrash(db: OrgDb, viewer: Viewer, row: ItemRow): Promise<void> {
  await updateTrashed(db, row, viewer.email, clock.timestamp())
  await runHook(db, 'itemDeleted', { item: row, by: viewer.email })
  recordItem(db, row, 'deleted')
}
