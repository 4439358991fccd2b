import { keepPreviousData } from '@tanstack/react-query'
import { useGetList } from 'ra-core'
import { useEffect, useMemo } from 'react'

import { useFallbackInterval } from '#providers/live.ts'

import type { AnyDefinition, Listed } from './resource.ts'
import { type Listing, useListState } from './useListState.ts'

/** Seconds between two questions while the live socket is down. */
const FALLBACK_SECONDS = 60

/** The page of records that the address asks for, and how to ask for another one. */
export function useResourceList(definition: Pick<AnyDefinition, 'name' | 'refreshEvery'> & Listing) {
  const { name, toggles, refreshEvery } = definition
  const { state, change, sizes } = useListState(definition)
  const fallback = useFallbackInterval(FALLBACK_SECONDS)
  const asked = useMemo(() => {
    const { page, size, sort, search, on, filters: chosen } = state
    const switched = (toggles ?? []).map((toggle) => (on.includes(toggle.id) ? toggle.on : toggle.off))
    return {
      pagination: { page, perPage: size },
      sort: { field: sort[0], order: sort[1] },
      filter: Object.assign(
        {},
        ...switched,
        chosen,
        search.trim() === '' ? {} : { q: search.trim() },
      ) as object,
    }
  }, [state, toggles])
  const query = useGetList<Listed>(name, asked, {
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery ?? fallback,
  })
  const { data, total = 0, isPlaceholderData } = query

  // The last record of the last page may be gone.
  const pages = Math.max(1, Math.ceil(total / state.size))
  const beyond = data !== undefined && !isPlaceholderData && state.page > pages
  useEffect(() => {
    if (beyond) change({ page: pages })
  }, [beyond, pages, change])

  return {
    state,
    change,
    /** How many records a page can have. */
    sizes,
    /** What the list is asked for: the page, the order and the filter. */
    asked,
    rows: data,
    total,
    pages,
    error: query.error,
    isFetching: query.isFetching,
    /** Another page is on its way; the rows are those of the last one. */
    isTurning: isPlaceholderData,
    refresh: query.refetch,
    isFiltered: state.search !== '' || state.on.length > 0 || Object.keys(state.filters).length > 0,
  }
}
export type ResourceList = ReturnType<typeof useResourceList>
