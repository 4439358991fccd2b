import { combineDataProviders, type DataProvider } from 'ra-core'
import simpleRestProvider from 'ra-data-simple-rest'

import { createHttpClient, type ResourceApi } from './httpClient.ts'

export type ResourceApis = Readonly<Record<string, ResourceApi>>

/** What a list without pagination asks for; ra-data-simple-rest would ask for ten rows. */
const EVERYTHING = { page: 1, perPage: Infinity }

function providerOf(name: string, api: ResourceApi): DataProvider {
  const provider = simpleRestProvider('', createHttpClient(name, api))
  return {
    ...provider,
    getList: (resource, params) =>
      provider.getList(resource, { ...params, pagination: params.pagination ?? EVERYTHING }),
  }
}

/**
 * The data provider of react-admin over the contracts of the declared resources: ra-data-simple-rest, with an
 * `httpClient` for each resource. Requests can be aborted: `supportAbortSignal` is truthy, as every property of what
 * `combineDataProviders` returns.
 */
export function createDataProvider(apis: ResourceApis): DataProvider {
  const providers = new Map(Object.entries(apis).map(([name, api]) => [name, providerOf(name, api)]))
  return combineDataProviders((resource) => {
    const provider = providers.get(resource)
    if (!provider) throw new Error(`No resource is called ${resource}.`)
    return provider
  })
}
