import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'

import type { AnyTable } from './resource.ts'

export const PAGE_SIZES = [25, 50, 100] as const
const PAGE_SIZE = 50
export type Order = 'ASC' | 'DESC'
/** What the state of a list depends on; a list at the side has neither columns nor toggles. */
export type Listing = Pick<AnyTable, 'sort' | 'toggles'> & Partial<Pick<AnyTable, 'columns'>>

/** What a list shows, and in which order. */
export interface ListState {
  /** From 1. */
  readonly page: number
  readonly size: number
  readonly sort: readonly [field: string, order: Order]
  readonly search: string
  /** Ids of the toggles that are on. */
  readonly on: readonly string[]
}

/** `-name` sorts by name, the last first. */
const writeSort = ([field, order]: ListState['sort']) => (order === 'DESC' ? `-${field}` : field)
function readSort(written: string | null, { sort, columns = [] }: Listing): ListState['sort'] {
  const field = written?.replace(/^-/, '')
  const known = columns.some((column) => column.field === field && column.sortable !== false)
  return known ? [field!, written!.startsWith('-') ? 'DESC' : 'ASC'] : sort
}

function read(params: URLSearchParams, definition: Listing): ListState {
  const page = Number(params.get('page'))
  const size = Number(params.get('size'))
  return {
    page: Number.isInteger(page) && page > 1 ? page : 1,
    size: PAGE_SIZES.some((one) => one === size) ? size : PAGE_SIZE,
    sort: readSort(params.get('sort'), definition),
    search: params.get('q') ?? '',
    on: (definition.toggles ?? []).map(({ id }) => id).filter((id) => params.has(id)),
  }
}

/** Only what differs from how the list begins is written, so that its plain address is its plain state. */
function write(params: URLSearchParams, state: ListState, { sort, toggles = [] }: Listing): URLSearchParams {
  const next = new URLSearchParams(params)
  const put = (name: string, value: string, usual: string) =>
    value === usual ? next.delete(name) : next.set(name, value)
  put('page', String(state.page), '1')
  put('size', String(state.size), String(PAGE_SIZE))
  put('sort', writeSort(state.sort), writeSort(sort))
  put('q', state.search, '')
  for (const { id } of toggles) put(id, state.on.includes(id) ? '1' : '', '')
  return next
}

/** The state of a list, kept in the page's address: reload, back and a shared link all show the same. */
export function useListState(definition: Listing) {
  const [params, setParams] = useSearchParams()
  const written = params.toString()
  const state = useMemo(() => read(new URLSearchParams(written), definition), [written, definition])
  const change = useCallback(
    (patch: Partial<ListState>) => {
      // Anything but turning a page begins at the first one.
      setParams((now) => write(now, { ...read(now, definition), page: 1, ...patch }, definition), {
        // The letters of one search are one step back.
        replace: patch.search !== undefined && new URLSearchParams(written).has('q'),
      })
    },
    [setParams, definition, written],
  )
  return { state, change }
}
