import type { fetchUtils } from 'ra-core'
import type * as z from 'zod/mini'

import { type Api, type Endpoint, isList, type List } from '#contract/kit/endpoint.ts'

import { request } from './api.ts'
import { HttpProblem } from './problem.ts'

type Row = Readonly<Record<string, unknown>>

/** What an adapted call is given of react-admin's request. */
export interface AdaptedRequest {
  /** Of the record; empty for a list. */
  readonly id: string
  /** Of a list. */
  readonly filter: Row
  /** Of a list: its order, and the first and last row of the page. Absent where all rows are asked for. */
  readonly sort?: readonly [field: string, order: 'ASC' | 'DESC'] | undefined
  readonly range?: readonly [first: number, last: number] | undefined
  /** What the form holds. */
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}
/**
 * Makes a call whose requests have another shape than react-admin's, and returns what its `reply` declares; for a list,
 * the rows of the page and how many there are (`AdaptedPage`).
 */
export type Adapter = (request: AdaptedRequest) => Promise<unknown>
export interface AdaptedPage {
  readonly rows: readonly Row[]
  readonly total: number
}
type Adapted<E> = E & { readonly send?: Adapter }

/** The calls of a resource, by the names that react-admin's verbs are mapped to. */
export type ResourceApi = Api & {
  /** Returns one page (`list(…)` in the contract), or an array of all rows that its query finds. */
  readonly list: Adapted<Endpoint & { readonly reply: List | z.ZodMiniArray }>
  readonly get?: Adapted<Endpoint>
  /** One record without what only its form needs; `get` has it all. */
  readonly summary?: Endpoint
  readonly create?: Endpoint
  readonly update?: Adapted<Endpoint>
  readonly remove?: Endpoint
}
type Options = Pick<fetchUtils.Options, 'method' | 'body' | 'signal'>

type Verb = 'get' | 'create' | 'update' | 'remove'
/** The call that changes something, by the method that ra-data-simple-rest uses. */
const CHANGES: Readonly<Record<string, Verb>> = {
  POST: 'create',
  PUT: 'update',
  DELETE: 'remove',
}

/** The calls of each resource by its name. They load when one of them is made. */
export type ResourceApis = Readonly<Record<string, () => Promise<ResourceApi>>>

/** react-admin knows records by `id`; some of ours have a `uuid` instead. */
const withId = (row: Row | undefined, id?: string) => ({ ...row, id: row?.['id'] ?? row?.['uuid'] ?? id })

/** The parameter that names the record in an endpoint's path. */
const paramsOf = ({ path }: Endpoint, id: string | undefined) =>
  id === undefined ? undefined : { [/:(\w+)/.exec(path)?.[1] ?? 'id']: id }

/** The filter as the query of a call that knows nothing of pages. */
const filterOf = (search: string) => JSON.parse(new URLSearchParams(search).get('filter') ?? '{}') as Row

/** The simple-rest parameters without those that ask for nothing: the server's own order, all rows, no filter. */
function queryOf(search: string) {
  const { sort = '', range = '', filter = '' } = Object.fromEntries(new URLSearchParams(search))
  return {
    // react-admin sorts by `id` where no order is set; no list of ours has that column.
    sort: sort.startsWith('["id",') ? undefined : sort || undefined,
    // JSON writes a range without an end (`perPage: Infinity`) with null.
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
 * The `httpClient` of ra-data-simple-rest for one resource. It makes the call of the contract that the request stands
 * for: with its path, credentials, session renewal and `Idempotency-Key` (`send.ts`).
 * @param onMinimum called where a list has not counted all of its rows
 * @throws {HttpProblem} what the server refuses, with the messages of fields in `body.errors`
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
    // A list that is short enough to come as a whole has no range.
    const contentRange = answer.headers.get('Content-Range') ?? `${name} */${rows.length}`
    return { rows, headers: new Headers({ 'Content-Range': contentRange }) }
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
    // A resource without a call for one record has few of them.
    if (method === 'GET' && id !== undefined && !api.get) return find(api, id, signal)
    return send(api, CHANGES[method] ?? 'get', id, options)
  }
}
