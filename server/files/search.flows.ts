import type { filesApi } from '#contract/files/api.ts'
import type { FoundItem } from '#contract/files/schema.ts'
import type { Input } from '#contract/kit/endpoint.ts'
import { inTimeSlice } from '#server/kit/core/time-slice.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { snippetOf, textQueries } from '#server/kit/database/text-search.ts'
import type { Page } from '#server/kit/http/answers.ts'
import type { Caller } from '#server/kit/http/serve.ts'

import { type Acting, toItem, type Viewer, viewerOf } from './access.flows.ts'
import { placesOf } from './flows.ts'
import { findPassages, FOUND_MAX, idsByText } from './search.store.ts'
import { type ItemQuery, type ItemRow, listNotNamed, searchItems } from './store.ts'

/** Rows with a snippet, where somebody asks for the whole list: more than a page has. */
const SNIPPETS_MAX = 1_000

interface Search {
  readonly query: string
  readonly createdBy: string | undefined
}

/** A page of what a search finds in all folders that the caller may open: by name, then by text (decision 092). */
export async function itemsFound(
  db: OrgDb,
  by: Acting & Pick<Caller, 'config'>,
  { query, filter, ...page }: Input<(typeof filesApi)['search']>['query'],
): Promise<Page<FoundItem>> {
  const viewer = await viewerOf(db, by)
  const search = { query, createdBy: filter?.isCreatedByMe ? viewer.email : undefined }
  const named = await searchItems(db, query, viewer.hidden, search.createdBy, page)
  const rows = await toFound(db, viewer, named.rows)
  // Where more names match than are counted, those found by text come on a later page.
  if (named.isMinimum || !by.config.fileContentSearch) return { ...named, rows }
  const texts = await textsFound(db, viewer, search, { ...page, range: rangeBehind(named.total, page.range) })
  return {
    rows: [...rows, ...texts.rows],
    total: named.total + texts.total,
    isMinimum: texts.isMinimum,
  }
}

/** The part of a range behind the first `count` rows; empty where it ends before. */
const rangeBehind = (count: number, range: ItemQuery['range']): ItemQuery['range'] =>
  range && [Math.max(0, range[0] - count), Math.max(-1, range[1] - count)]

/** A page of the files that have the words in their text, and not in their name. */
async function textsFound(
  db: OrgDb,
  viewer: Viewer,
  { query, createdBy }: Search,
  page: ItemQuery,
): Promise<Page<FoundItem>> {
  const queries = textQueries(query)
  const ids = queries ? await idsByText(db, queries, viewer.hidden) : []
  if (!queries || ids.length === 0) return { rows: [], total: 0 }
  const found = await listNotNamed(db, ids, query, viewer.hidden, createdBy, page)
  const passages = await findPassages(
    db,
    found.rows.slice(0, SNIPPETS_MAX).map(({ id }) => id),
    queries,
  )
  const rows: FoundItem[] = []
  for (const item of await toFound(db, viewer, found.rows)) {
    const { page: at = null, text = '' } = passages.get(item.id) ?? {}
    const snippet = await inTimeSlice(() => snippetOf(text, query))
    rows.push({ ...item, textMatch: { page: at, snippet } })
  }
  return { rows, total: found.total, isMinimum: ids.length > FOUND_MAX }
}

async function toFound(db: OrgDb, viewer: Viewer, rows: readonly ItemRow[]): Promise<FoundItem[]> {
  const places = await placesOf(db, rows)
  return rows.map((row, at) => ({ ...toItem(viewer, row), path: places[at]! }))
}
