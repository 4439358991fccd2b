import type { fetchUtils } from 'react-admin'
import type * as z from 'zod/mini'

import { type Api, type Endpoint, isList, type List } from '#contract/kit/endpoint.ts'

import { request } from './api.ts'
import { HttpProblem } from './problem.ts'

type Row = Readonly<Record<string, unknown>>

/** react-admin's request as an adapted call gets it. */
export interface AdaptedRequest {
  /** Id of the record; empty for a list. */
  readonly id: string
  /** Filter of a list. */
  readonly filter: Row
  /** Order of a list, and first and last row of the page. Absent for all rows. */
  readonly sort?: readonly [field: string, order: 'ASC' | 'DESC'] | undefined
  readonly range?: readonly [first: number, last: number] | undefined
  /** Values of the form. */
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}
/**
 * Makes a call whose requests have another shape than react-admin's, and returns the value that its `reply`
 * declares; for a list, the rows of the page and their total (`AdaptedPage`).
 */
export type Adapter = (request: AdaptedRequest) => Promise<unknown>
export interface AdaptedPage {
  readonly rows: readonly Row[]
  readonly total: number
}
type Adapted<E> = E & { readonly send?: Adapter }

/** The endpoints of a resource, by the names that react-admin's verbs are mapped to. */
export type ResourceApi = Api & {
  /** Returns one page (`list(…)` in the contract), or an array of all matching rows. */
  readonly list: Adapted<Endpoint & { readonly reply: List | z.ZodMiniArray }>
  readonly get?: Adapted<Endpoint>
  /** A record without fields that only its form needs; `get` returns all. */
  readonly summary?: Endpoint
  readonly create?: Endpoint
  readonly update?: Adapted<Endpoint>
  readonly remove?: Endpoint
}
type Options = Pick<fetchUtils.Options, 'method' | 'body' | 'signal'>

type Verb = 'get' | 'create' | 'update' | 'remove'
/** Endpoints by the method that ra-data-simple-rest uses. */
const CHANGES: Readonly<Record<string, Verb>> = {
  POST: 'create',
  PUT: 'update',
  DELETE: 'remove',
}

/** The endpoints of each resource by name, loaded with the first call. */
export type ResourceApis = Readonly<Record<string, () => Promise<ResourceApi>>>

/** react-admin identifies records by `id`; some of ours have a `uuid` instead. */
const withId = (row: Row | undefined, id?: string) => ({ ...row, id: row?.['id'] ?? row?.['uuid'] ?? id })

/** The parameter that identifies the record in an endpoint's path. */
const paramsOf = ({ path }: Endpoint, id: string | undefined) =>
  id === undefined ? undefined : { [/:(\w+)/.exec(path)?.[1] ?? 'id']: id }

/** One page, in the requested order, of rows that an endpoint without pages returns as a whole. */
function pageOf(rows: readonly Row[], search: string): readonly Row[] {
  const { sort = '[]', range = '[0]' } = queryOf(search)
  const [field = '', order] = JSON.parse(sort) as string[]
  const [first = 0, last = Infinity] = JSON.parse(range) as number[]
  const valueOf = (row: Row) => {
    const value = row[field]
    return typeof value === 'string' || typeof value === 'number' ? value : ''
  }
  const compare = (a: Row, b: Row) => (valueOf(a) < valueOf(b) ? -1 : Number(valueOf(a) > valueOf(b)))
  const sorted = field === '' ? rows : rows.toSorted(order === 'DESC' ? (a, b) => compare(b, a) : compare)
  return sorted.slice(first, last + 1)
}

/** The filter as the query of an endpoint without pages. */
const filterOf = (search: string) => JSON.parse(new URLSearchParams(search).get('filter') ?? '{}') as Row

/** The simple-rest parameters without those that mean the default: the server's own order, all rows, no filter. */
function queryOf(search: string) {
  const { sort = '', range = '', filter = '' } = Object.fromEntries(new URLSearchParams(search))
  return {
    // react-admin sorts by `id` by default; no list of ours has that column.
    sort: sort.startsWith('["id",') ? undefined : sort || undefined,
    // JSON has null for the end of an unlimited range (`perPage: Infinity`).
    range: range.includes('null') ? undefined : range || undefined,
    filter: filter === '{}' ? undefined : filter || undefined,
  }
}

const sendAdapted = async (adapter: Adapter, id = '', json = 'null', signal: AbortSignal | null = null) =>
  (await adapter({
    id,
    filter: {},
    body: JSON.parse(json) as unknown,
    signal: signal ?? undefined,
  })) as Row

const response = (json: unknown, headers = new Headers()) => ({ status: 200, headers, body: '', json })

/**
 * The `httpClient` of ra-data-simple-rest for one resource. It calls the endpoint of the request: with its
 * path, credentials, session renewal and `Idempotency-Key` (`send.ts`).
 * @param onMinimum called for a list whose total is a minimum
 * @throws {HttpProblem} for a refusal, with the messages of fields in `body.errors`
 * @throws {Error} for a call that the contract does not have
 */
export function createHttpClient(name: string, load: () => Promise<ResourceApi>, onMinimum = () => {}) {
  const list = async (api: ResourceApi, search: string, signal?: AbortSignal | null) => {
    const adapter = api.list.send
    if (adapter) {
      const { sort = 'null', range = 'null' } = queryOf(search)
      const { rows, total } = (await adapter({
        id: '',
        filter: filterOf(search),
        sort: JSON.parse(sort) ?? undefined,
        range: JSON.parse(range) ?? undefined,
        body: undefined,
        signal: signal ?? undefined,
      })) as AdaptedPage
      return { rows, headers: new Headers({ 'Content-Range': `${name} */${total}` }) }
    }
    const answer = await request(api.list, {
      query: isList(api.list.reply) ? queryOf(search) : filterOf(search),
      signal,
    })
    const rows = ((await answer.json()) as Row[]).map((row) => withId(row))
    if (answer.headers.has('Total-Is-Minimum')) onMinimum()
    // A short list, returned as a whole, has no range.
    const contentRange = answer.headers.get('Content-Range') ?? `${name} */${rows.length}`
    const page = isList(api.list.reply) ? rows : pageOf(rows, search)
    return { rows: page, headers: new Headers({ 'Content-Range': contentRange }) }
  }
  const find = async (api: ResourceApi, id: string, signal?: AbortSignal | null) => {
    const { rows } = await list(api, '', signal)
    const found = rows.find((row) => row.id === id)
    if (!found) throw new HttpProblem('', 404)
    return response(found)
  }
  const send = async (api: ResourceApi, verb: Verb, id: string | undefined, options: Options) => {
    const endpoint = api[verb]
    if (!endpoint) throw new Error(`${name} has no call to ${verb}.`)
    const { body, signal } = options
    const json = typeof body === 'string' ? body : undefined
    const adapter = 'send' in endpoint ? endpoint.send : undefined
    if (adapter) return response(withId(await sendAdapted(adapter, id, json, signal), id))
    const answer = await request(endpoint, { params: paramsOf(endpoint, id), json, signal })
    return response(withId(answer.status === 204 ? undefined : ((await answer.json()) as Row), id))
  }
  return async (url: string, options: Options = {}) => {
    const { method = 'GET', signal } = options
    const api = await load()
    const [path = '', search = ''] = url.slice(`/${name}`.length).split('?')
    const id = path === '' ? undefined : decodeURIComponent(path.slice(1))
    if (method === 'GET' && id === undefined) {
      const { rows, headers } = await list(api, search, signal)
      return response(rows, headers)
    }
    // A resource without an endpoint for one record has few of them.
    if (method === 'GET' && id !== undefined && !api.get) return find(api, id, signal)
    return send(api, CHANGES[method] ?? 'get', id, options)
  }
}
