import { useGetList } from 'react-admin'
import { useEffect, useMemo } from 'react'

import { useFallbackInterval } from '#providers/live.ts'

import { clientPage } from './clientPage.ts'
import { type AnyDefinition, type AnyTable, type Listed, metaOf } from './resource.ts'
import { type Listing, useListState } from './useListState.ts'

/** Seconds between two questions while the live socket is down. */
const FALLBACK_SECONDS = 60

/** All rows, in the server's order. */
const EVERYTHING = {
  pagination: { page: 1, perPage: Infinity },
  sort: { field: 'id', order: 'ASC' },
} as const
const NO_FILTER: Readonly<Record<string, unknown>> = {}

/**
 * The page of records that the address asks for, and how to ask for another one.
 * @param permanent a filter beside those of the address, memoised by the caller
 */
export function useResourceList(
  definition: Pick<AnyDefinition, 'api' | 'name' | 'refreshEvery'> &
    Pick<AnyTable, 'paginationMode'> &
    Listing,
  permanent = NO_FILTER,
) {
  const { name, toggles, refreshEvery, paginationMode, sort: usual } = definition
  const isClient = paginationMode === 'client'
  const { state, change, sizes } = useListState(definition)
  const fallback = useFallbackInterval(FALLBACK_SECONDS)
  const asked = useMemo(() => {
    const { page, size, sort, search, on, filters: chosen } = state
    const switched = (toggles ?? [])
      .filter(({ unless }) => !unless || !chosen[unless])
      .map((toggle) => (on.includes(toggle.id) ? toggle.on : toggle.off))
    return {
      pagination: { page, perPage: size },
      sort: { field: sort[0], order: sort[1] },
      ...(isClient && EVERYTHING),
      filter: Object.assign(
        {},
        permanent,
        ...switched,
        chosen,
        search.trim() === '' ? {} : { q: search.trim() },
      ) as Readonly<Record<string, unknown>>,
    }
  }, [state, toggles, isClient, permanent])
  const meta = metaOf(definition)
  const query = useGetList<Listed>(
    name,
    { ...asked, meta },
    {
      // The last page stays until the next one is loaded, but never in place of another permanent filter's.
      placeholderData: (last, earlier) => {
        const { filter } = (earlier?.queryKey[2] ?? {}) as Partial<typeof asked>
        const isSame = Object.entries(permanent).every(([field, value]) => filter?.[field] === value)
        return isSame ? last : undefined
      },
      refetchInterval: refreshEvery ?? fallback,
    },
  )
  const { data, total = 0, isPlaceholderData } = query

  // The last record of the last page may be gone.
  const pages = Math.max(1, Math.ceil(total / state.size))
  const beyond = data !== undefined && !isPlaceholderData && state.page > pages
  useEffect(() => {
    if (beyond) change({ page: pages })
  }, [beyond, pages, change])

  const rows = useMemo(
    () =>
      data && isClient ? clientPage(data, { ...state, page: Math.min(state.page, pages) }, usual) : data,
    [data, isClient, state, pages, usual],
  )
  return {
    state,
    change,
    /** How many records a page can have. */
    sizes,
    /** What the list is asked for: the page, the order and the filter. */
    asked,
    rows,
    total,
    /** Whether `total` is one more than was counted: there may be further records. */
    isMinimum: query.meta?.totalIsMinimum === true,
    pages,
    error: query.error,
    isFetching: query.isFetching,
    /** Another page is loading; the rows are still those of the last page. */
    isTurning: isPlaceholderData,
    refresh: query.refetch,
    isFiltered: state.search !== '' || state.on.length > 0 || Object.keys(state.filters).length > 0,
  }
}
export type ResourceList = ReturnType<typeof useResourceList>
