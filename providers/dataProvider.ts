import type { DataProvider, SortPayload } from 'ra-core'

import { type Api, type Endpoint, isList, type List } from '#contract/kit/endpoint.ts'

import { call, callForPage } from './api.ts'
import { HttpProblem } from './problem.ts'

/** The calls of a declared resource, by the names that react-admin's verbs are mapped to. */
export type ResourceApi = Api & {
  readonly list: Endpoint & { readonly reply: List }
  readonly get?: Endpoint
  readonly create?: Endpoint
  readonly update?: Endpoint
  readonly remove?: Endpoint
}
/** The calls of each resource by its name. They load when one of them is made. */
export type ResourceApis = Readonly<Record<string, () => Promise<ResourceApi>>>

type Row = Record<string, unknown>
/** react-admin lets its caller name the type of a record, so nothing but `any` fits all of them. */
type AnyRecord = any
/** react-admin knows records by `id`; some of ours are known by `uuid`. */
const withId = (row: unknown): AnyRecord => {
  const record = row as Row
  return { ...record, id: record['id'] ?? record['uuid'] }
}
/** The parameter that names the record in an endpoint's path. */
const byId = (endpoint: Endpoint, id: unknown) => ({ [/:(\w+)/.exec(endpoint.path)?.[1] ?? 'id']: id })
// Before anything was chosen react-admin sorts by `id`, which is no column of ours: the server's own order holds.
const sortOf = (sort?: SortPayload) =>
  sort && sort.field !== 'id' ? ([sort.field, sort.order] as const) : undefined

/** The data provider of react-admin over the contracts of the declared resources. */
export function createDataProvider(apis: ResourceApis): DataProvider {
  const apiOf = async (resource: string): Promise<ResourceApi> => {
    const load = apis[resource]
    if (!load) throw new Error(`No resource is called ${resource}.`)
    return load()
  }
  const endpointOf = async (resource: string, name: 'create' | 'update' | 'remove'): Promise<Endpoint> => {
    const endpoint = (await apiOf(resource))[name]
    if (!endpoint) throw new Error(`${resource} has no call to ${name}.`)
    return endpoint
  }
  const make = async (endpoint: Endpoint, parts: object): Promise<AnyRecord> =>
    withId(await call(endpoint, parts as never))
  const rows = async (resource: string, request: Parameters<typeof callForPage>[1]) => {
    const { list } = await apiOf(resource)
    if (!isList(list.reply)) throw new Error(`${resource} has no list.`)
    const { data, total } = await callForPage(list, request)
    return { data: data.map(withId), total }
  }
  const each = <T>(ids: readonly T[], act: (id: T) => Promise<unknown>) => Promise.all(ids.map(act))
  const change = async (resource: string, id: unknown, data: unknown) => {
    const update = await endpointOf(resource, 'update')
    return make(update, { params: byId(update, id), body: data })
  }
  const remove = async (resource: string, id: unknown) => {
    const endpoint = await endpointOf(resource, 'remove')
    return call(endpoint, { params: byId(endpoint, id) })
  }
  const rangeOf = (pagination?: { page: number; perPage: number }) =>
    pagination &&
    ([(pagination.page - 1) * pagination.perPage, pagination.page * pagination.perPage - 1] as const)

  return {
    supportAbortSignal: true,
    getList: (resource, { pagination, sort, filter, signal }) =>
      rows(resource, { sort: sortOf(sort), range: rangeOf(pagination), filter, signal }),
    getOne: async (resource, { id, signal }) => {
      const { get } = await apiOf(resource)
      if (get) return { data: await make(get, { params: byId(get, id), signal }) }
      // A noun without a call for one record is short enough to be asked for as a whole.
      const { data } = await rows(resource, { signal })
      const found = data.find((row) => row.id === id)
      if (!found) throw new HttpProblem('', 404)
      return { data: found }
    },
    getMany: (resource, { ids, signal }) => rows(resource, { filter: { id: ids }, signal }),
    getManyReference: (resource, { pagination, sort, filter, target, id, signal }) =>
      rows(resource, {
        sort: sortOf(sort),
        range: rangeOf(pagination),
        filter: { ...filter, [target]: id },
        signal,
      }),
    create: async (resource, { data }) => ({
      data: await make(await endpointOf(resource, 'create'), { body: data }),
    }),
    update: async (resource, { id, data }) => ({ data: await change(resource, id, data) }),
    updateMany: async (resource, { ids, data }) => {
      await each(ids, (id) => change(resource, id, data))
      return { data: ids }
    },
    delete: async (resource, { id, previousData }) => {
      await remove(resource, id)
      return { data: (previousData ?? { id }) as AnyRecord }
    },
    deleteMany: async (resource, { ids }) => {
      await each(ids, (id) => remove(resource, id))
      return { data: ids }
    },
  }
}
