import { type FilterPayload, parseQueryFromLocation, type SortPayload } from 'react-admin'
import { useEffect, useMemo, useRef, useState } from 'react'

import { useAddress } from '../browser/useAddress.ts'
import { useLatest } from '../browser/useLatest.ts'
import type { AnyTable, ListFilter } from './resource.ts'
import { useRemembered } from '../list/useRemembered.ts'

const PAGE_SIZES = [50, 25, 100] as const
/** react-admin's parameters of a list. */
const PARAMETERS = ['page', 'perPage', 'sort', 'order', 'filter', 'displayedFilters'] as const

/** The parts of a definition that its list's address depends on; a side list has no columns to sort by. */
export type Listing = Pick<AnyTable, 'name' | 'toggles' | 'filters' | 'pageSizes'> & {
  readonly layout?: 'table' | 'side list'
  readonly sort: readonly [field: string, order: 'ASC' | 'DESC']
  readonly columns: readonly { readonly field: string; readonly sortable?: boolean | undefined }[]
}
interface Params {
  /** From 1. */
  readonly page: number
  readonly perPage: number
  readonly sort: string
  readonly order: 'ASC' | 'DESC'
  readonly filter: FilterPayload
}

/** The page sizes of a list, the usual one first. */
export const sizesOf = ({ pageSizes = PAGE_SIZES }: Listing): readonly number[] => pageSizes
/** The fields that a filter fills. */
export const fieldsOf = (filter: ListFilter): readonly string[] =>
  'field' in filter ? [filter.field] : [filter.from, filter.to]

/** The state of a list in an address. Values that the list does not offer give way to the usual ones. */
function read(address: URLSearchParams, listing: Listing): Params {
  const { toggles = [], filters = [], columns, layout } = listing
  const query: Readonly<Record<string, unknown>> = parseQueryFromLocation({ search: String(address) })
  const isSortable =
    layout !== 'side list' &&
    columns.some(({ field, sortable }) => field === query['sort'] && sortable !== false)
  const [sort, order] = isSortable
    ? [String(query['sort']), query['order'] === 'DESC' ? ('DESC' as const) : ('ASC' as const)]
    : listing.sort
  const page = Number(query['page'])
  const sizes = sizesOf(listing)
  const fields = ['q', ...filters.flatMap(fieldsOf)]
  const isOffered = ([name, value]: [string, unknown]) =>
    fields.includes(name)
      ? typeof value === 'string' && value !== ''
      : value === true && toggles.some(({ id }) => id === name)
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    perPage: sizes.find((size) => size === Number(query['perPage'])) ?? sizes[0]!,
    sort,
    order,
    filter: Object.fromEntries(Object.entries(query['filter'] ?? {}).filter(isOffered)),
  }
}

/** An address with the state of a list. Usual values are left out, so that the plain address is the plain list. */
function write(address: URLSearchParams, { page, perPage, sort, order, filter }: Params, listing: Listing) {
  const usual = read(new URLSearchParams(), listing)
  const next = new URLSearchParams(address)
  for (const name of PARAMETERS) next.delete(name)
  if (page > 1) next.set('page', String(page))
  if (perPage !== usual.perPage) next.set('perPage', String(perPage))
  if (sort !== usual.sort || order !== usual.order) {
    next.set('sort', sort)
    next.set('order', order)
  }
  if (Object.keys(filter).length > 0) next.set('filter', JSON.stringify(filter))
  return next
}

/** The filters that stand in an address. */
export const filterIn = (address: URLSearchParams, listing: Listing): FilterPayload =>
  read(address, listing).filter

const ownOf = (address: URLSearchParams) => JSON.stringify(PARAMETERS.map((name) => address.getAll(name)))

/**
 * The address at which a list begins, where that is another one than the page's: the plain address restores the last state
 * on this device, and what the list does not offer is taken out. Undefined once the list has begun.
 */
export function useFirstAddress(listing: Listing): string | undefined {
  const [address] = useAddress()
  const [kept] = useRemembered(listing.name, 'list', '')
  const [hasBegun, setBegun] = useState(false)
  if (hasBegun) return undefined
  const isPlain = !PARAMETERS.some((name) => address.has(name))
  const first = write(address, read(isPlain ? new URLSearchParams(kept) : address, listing), listing)
  if (ownOf(first) !== ownOf(address)) return String(first)
  setBegun(true)
  return undefined
}

/** Remembers how a list is narrowed and sorted and how long its pages are, not what was searched for. */
export function useKeptAddress(listing: Listing): void {
  const [address] = useAddress()
  const [, keep] = useRemembered(listing.name, 'list', '')
  const now = read(address, listing)
  const { q: _, ...filter } = now.filter
  const memory = String(write(new URLSearchParams(), { ...now, page: 1, filter }, listing))
  const last = useRef(memory)
  useEffect(() => {
    if (last.current !== memory) keep(memory)
    last.current = memory
  }, [memory, keep])
}

/**
 * react-admin's functions that change the state of a list. Its own begin with the state that is drawn, so that of two
 * changes in quick succession on a slow page the first would be lost; these begin with the address of the moment.
 * @param drawn the filters that are drawn
 */
export function useListModifiers(listing: Listing, drawn: FilterPayload) {
  const [, setAddress] = useAddress()
  const latest = useLatest(drawn)
  return useMemo(() => {
    /** Anything but turning a page begins at the first one. */
    const change = (changesOf: (now: Params) => Partial<Params>, replace = false) =>
      setAddress(
        (address) => {
          const now = read(address, listing)
          return write(address, { ...now, page: 1, ...changesOf(now) }, listing)
        },
        { replace },
      )
    return {
      setPage: (page: number) => change(() => ({ page })),
      setPerPage: (perPage: number) => change(() => ({ perPage })),
      setSort: ({ field, order }: SortPayload) => change(() => ({ sort: field, order })),
      setFilters: (filters: FilterPayload) => {
        const before = latest.current
        const changed = Object.keys({ ...before, ...filters }).filter(
          (name) => filters[name] !== before[name],
        )
        change(
          ({ filter }) => {
            const next = { ...filter, ...Object.fromEntries(changed.map((name) => [name, filters[name]])) }
            return { filter: Object.fromEntries(Object.entries(next).filter(([, value]) => value)) }
          },
          // The letters of one search are one step back.
          changed.join() === 'q' && before['q'] !== undefined,
        )
      },
    }
  }, [listing, setAddress, latest])
}
