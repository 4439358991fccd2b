import type { Endpoint } from '#contract/kit/endpoint.ts'

import { request } from './api.ts'

/** A part of a list, with the total number of items. */
export interface Slice<Item> {
  readonly items: readonly Item[]
  readonly total: number
  /** True for a lower bound: there may be more items than `total`. */
  readonly isMinimum?: boolean
}
interface Part {
  /** Zero-based. */
  readonly first: number
  readonly count: number
  readonly params?: unknown
  readonly filter?: Readonly<Record<string, unknown>>
  /** Further parameters of the query string. */
  readonly query?: Readonly<Record<string, string>>
  readonly sort?: readonly [field: string, order: 'ASC' | 'DESC']
  readonly signal?: AbortSignal | undefined
}

/** Requests a part of a list from an endpoint with the parameters of `ra-data-simple-rest`. */
export async function requestSlice<Item>(
  endpoint: Endpoint,
  { first, count, params = {}, filter = {}, query: more, sort, signal }: Part,
): Promise<Slice<Item>> {
  const query = {
    ...more,
    range: JSON.stringify([first, first + count - 1]),
    filter: JSON.stringify(filter),
    ...(sort && { sort: JSON.stringify(sort) }),
  }
  const response = await request(endpoint, { params, query, signal })
  const items = (await response.json()) as Item[]
  const total = Number(response.headers.get('Content-Range')?.split('/')[1] ?? items.length)
  return response.headers.has('Total-Is-Minimum') ? { items, total, isMinimum: true } : { items, total }
}
