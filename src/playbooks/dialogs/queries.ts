import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { PAGE_MAX } from '#contract/kit/query.ts'
import { organisationsApi } from '#contract/organisations/api.ts'
import { playbookCategoriesApi } from '#contract/playbook-categories/api.ts'
import type { PlaybookCategory } from '#contract/playbook-categories/schema.ts'
import { playbooksApi } from '#contract/playbooks/api.ts'
import type { PlaybookSummary } from '#contract/playbooks/schema.ts'
import { call, request } from '#providers/api.ts'

/** The query of all categories, without their playbooks. */
const CATEGORIES_QUERY = {
  queryKey: ['playbook-categories', 'names'],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<readonly PlaybookCategory[]> =>
    call(playbookCategoriesApi.list, { query: { withPlaybooks: 'false' }, signal }),
}
/** The categories of the organisation by name. */
export const useCategories = () => useQuery(CATEGORIES_QUERY)

/** Which playbooks a list finds: those of a category (null: of none), with words in them. */
export interface PlaybookFilter {
  readonly q?: string
  readonly categoryId?: string | null
}
export interface PlaybookPage {
  readonly rows: readonly PlaybookSummary[]
  readonly total: number
}

/** Rows of a list by their place, both ends included. */
async function fetchPage(
  filter: PlaybookFilter,
  [first, last]: readonly [number, number],
  signal?: AbortSignal,
): Promise<PlaybookPage> {
  const { q = '', categoryId } = filter
  const wanted = { ...(q !== '' && { q }), ...(categoryId !== undefined && { categoryId }) }
  const response = await request(playbooksApi.list, {
    query: {
      sort: JSON.stringify(['name', 'ASC']),
      range: JSON.stringify([first, last]),
      filter: Object.keys(wanted).length > 0 ? JSON.stringify(wanted) : undefined,
    },
    signal,
  })
  const rows = (await response.json()) as PlaybookSummary[]
  const total = Number(response.headers.get('Content-Range')?.split('/')[1] ?? rows.length)
  return { rows, total }
}

/** One page of the playbooks that a filter finds, by name. */
export function usePlaybookPage(filter: PlaybookFilter, page: number, size: number) {
  return useQuery({
    queryKey: ['playbooks', 'picker', filter, page, size],
    queryFn: ({ signal }) => fetchPage(filter, [(page - 1) * size, page * size - 1], signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** The ids and names of all playbooks that a filter finds, fetched in the largest pages that the server answers. */
export async function fetchAllFound(filter: PlaybookFilter): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let first = 0, total = 1; first < total; first += PAGE_MAX) {
    // oxlint-disable-next-line no-await-in-loop -- the first page says how many there are
    const page = await fetchPage(filter, [first, first + PAGE_MAX - 1])
    total = page.total
    for (const { id, name } of page.rows) found.set(id, name)
  }
  return found
}

/** The child organisations with how many playbooks each has and can have. */
export const useChildren = () =>
  useQuery({
    queryKey: ['organisations', 'children'],
    queryFn: ({ signal }) => call(organisationsApi.children, { signal }),
    staleTime: 0,
  })
