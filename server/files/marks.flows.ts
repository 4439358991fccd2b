import type { filesApi } from '#contract/files/api.ts'
import type { PlacedItem, StorageItem } from '#contract/files/schema.ts'
import type { Input } from '#contract/kit/endpoint.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Page } from '#server/kit/http/answers.ts'
import type { Caller } from '#server/kit/http/serve.ts'

import { type Acting, openedItem, toItem, viewerOf } from './access.flows.ts'
import { placesOf } from './flows.ts'
import { deleteStar, insertStar, listMarked, type MarkTime, updateUsed } from './marks.store.ts'
import { findItem, type ItemRow, listItems } from './store.ts'

/** Notes that a person added, viewed or downloaded a file. Programs and visitors leave no mark. */
export async function noteUse(
  db: OrgDb,
  { kind, id }: Pick<Caller, 'kind' | 'id'>,
  item: Pick<ItemRow, 'id'>,
): Promise<void> {
  if (kind === 'person') await updateUsed(db, id, item.id, clock.timestamp())
}

/** Stars a file or folder for a person, or takes the star away. It is no event: nobody else sees it. */
export async function starItem(db: OrgDb, by: Acting, id: number, isStarred: boolean): Promise<StorageItem> {
  const viewer = await viewerOf(db, by)
  await openedItem(db, viewer, id)
  await (isStarred ? insertStar(db, viewer.id, id, clock.timestamp()) : deleteStar(db, viewer.id, id))
  return toItem(viewer, (await findItem(db, id))!)
}

type Query = Input<(typeof filesApi)['recent' | 'starred']>['query']

/** A page of the items with a mark of a person that they may open now. */
async function markedItems(
  db: OrgDb,
  by: Acting,
  mark: MarkTime,
  { sort, range }: Query,
): Promise<Page<PlacedItem>> {
  const viewer = await viewerOf(db, by)
  const query = { isOldestFirst: sort?.[1] === 'ASC', range }
  const { ids, total } = await listMarked(db, viewer.id, viewer.hidden, mark, query)
  const rows = await listItems(db, ids)
  const places = await placesOf(db, rows)
  return { rows: rows.map((row, at) => ({ ...toItem(viewer, row), path: places[at]! })), total }
}

/** Files that a person used last. */
export const recentItems = (db: OrgDb, by: Acting, query: Query): Promise<Page<PlacedItem>> =>
  markedItems(db, by, 'used_timestamp', query)

/** Files and folders that a person has starred. */
export const starredItems = (db: OrgDb, by: Acting, query: Query): Promise<Page<PlacedItem>> =>
  markedItems(db, by, 'starred_timestamp', query)
