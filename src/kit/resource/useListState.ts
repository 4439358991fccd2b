import { useCallback, useEffect, useMemo, useState } from 'react'

import type { AnyTable, ListFilter } from './resource.ts'
import { addressNow, useAddress } from '../browser/useAddress.ts'
import { useLatest } from '../browser/useLatest.ts'
import { useRemembered } from './useRemembered.ts'

const PAGE_SIZES = [50, 25, 100] as const
export type Order = 'ASC' | 'DESC'
/** The parts of a definition that the list's state depends on; a side list has no column sorting and no toggles. */
export type Listing = Pick<AnyTable, 'name' | 'toggles' | 'filters' | 'pageSizes'> & {
  readonly sort: readonly [field: string, order: Order]
  readonly columns?: readonly { readonly field: string; readonly sortable?: boolean | undefined }[]
}

/** The filters, page and order of a list. */
export interface ListState {
  /** From 1. */
  readonly page: number
  readonly size: number
  readonly sort: readonly [field: string, order: Order]
  readonly search: string
  /** Ids of the toggles that are on. */
  readonly on: readonly string[]
  /** Values of the filters, by their fields. */
  readonly filters: Readonly<Record<string, string>>
}

/** What changes of a list; a function is given its state as it is, which may not be drawn yet. */
export type ListChange = Partial<ListState> | ((now: ListState) => Partial<ListState>)

/** The fields that a filter fills. */
export const fieldsOf = (filter: ListFilter): readonly string[] =>
  'field' in filter ? [filter.field] : [filter.from, filter.to]
const allFields = ({ filters = [] }: Listing) => filters.flatMap(fieldsOf)

/** What can be chosen among, the usual one first. */
const sizesOf = ({ pageSizes = PAGE_SIZES }: Listing) => pageSizes
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
    size: sizesOf(definition).includes(size) ? size : sizesOf(definition)[0],
    sort: readSort(params.get('sort'), definition),
    search: params.get('q') ?? '',
    on: (definition.toggles ?? []).map(({ id }) => id).filter((id) => params.has(id)),
    filters: Object.fromEntries(
      allFields(definition).flatMap((field) => {
        const value = params.get(field)
        return value ? [[field, value]] : []
      }),
    ),
  }
}

/** Only what differs from how the list begins is written, so that its plain address is its plain state. */
function write(params: URLSearchParams, state: ListState, definition: Listing): URLSearchParams {
  const { sort, toggles = [] } = definition
  const next = new URLSearchParams(params)
  const put = (name: string, value: string, usual: string) =>
    value === usual ? next.delete(name) : next.set(name, value)
  put('page', String(state.page), '1')
  put('size', String(state.size), String(sizesOf(definition)[0]))
  put('sort', writeSort(state.sort), writeSort(sort))
  put('q', state.search, '')
  for (const { id } of toggles) put(id, state.on.includes(id) ? '1' : '', '')
  for (const field of allFields(definition)) put(field, state.filters[field] ?? '', '')
  return next
}

/** The names in the address that a list has to itself. */
const namesOf = (definition: Listing): string[] => [
  'page',
  'size',
  'sort',
  'q',
  ...(definition.toggles ?? []).map(({ id }) => id),
  ...allFields(definition),
]
/** An address that says nothing of the list. */
const isPlainOf = (params: URLSearchParams, definition: Listing): boolean =>
  !namesOf(definition).some((name) => params.has(name))
const ownOf = (address: string, definition: Listing): string => {
  const params = new URLSearchParams(address)
  const entries = namesOf(definition).map((name) => [name, params.get(name)] as const)
  return String(
    new URLSearchParams(entries.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
  )
}
/** What is remembered of a list: how it is narrowed, sorted and how long its pages are, not what was searched for. */
const memoryOf = (state: ListState, definition: Listing): string =>
  String(write(new URLSearchParams(), { ...state, page: 1, search: '' }, definition))

/**
 * The state of a list, kept in the page's address for reload, back and shared links. The plain address restores the
 * last state on this device.
 */
export function useListState(definition: Listing) {
  const [params, setParams] = useAddress()
  const [kept, keep] = useRemembered(definition.name, 'list', '')
  const isPlain = isPlainOf(params, definition)
  const [comes, setComes] = useState(isPlain && kept !== '')
  const restores = comes && isPlain
  if (comes && !isPlain) setComes(false)

  const now = params.toString()
  const written = restores ? `${now}&${kept}` : now
  useEffect(() => {
    if (restores) setParams(() => new URLSearchParams(written), { replace: true })
  }, [restores, written, setParams])

  // Other parameters, such as an open form, do not affect the list.
  const own = ownOf(written, definition)
  const state = useMemo(() => read(new URLSearchParams(own), definition), [own, definition])
  const latest = useLatest({ restores, written, setParams, keep })
  const change = useCallback(
    (patch: ListChange) => {
      const drawn = latest.current
      const now = addressNow()
      const before = drawn.restores && isPlainOf(now, definition) ? new URLSearchParams(drawn.written) : now
      const state = read(before, definition)
      const changes = typeof patch === 'function' ? patch(state) : patch
      // Anything but turning a page begins at the first one.
      const next = { ...state, page: 1, ...changes }
      drawn.setParams(() => write(before, next, definition), {
        // The letters of one search are one step back.
        replace: changes.search !== undefined && before.has('q'),
      })
      drawn.keep(memoryOf(next, definition))
    },
    [definition, latest],
  )
  /** From the shortest page to the longest. */
  const sizes = useMemo(() => [...sizesOf(definition)].sort((a, b) => a - b), [definition])
  return { state, change, sizes }
}
