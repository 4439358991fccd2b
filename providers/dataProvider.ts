import { combineDataProviders, type DataProvider } from 'ra-core'
import simpleRestProvider from 'ra-data-simple-rest'

import { createHttpClient, type ResourceApi, type ResourceApis } from './httpClient.ts'

/** What a list without pagination asks for; ra-data-simple-rest would ask for ten rows. */
const EVERYTHING = { page: 1, perPage: Infinity }

function providerOf(name: string, load: () => Promise<ResourceApi>): DataProvider {
  const provider = simpleRestProvider('', createHttpClient(name, load))
  return {
    ...provider,
    getList: (resource, params) =>
      provider.getList(resource, { ...params, pagination: params.pagination ?? EVERYTHING }),
  }
}

/**
 * The data provider of react-admin over the contracts of the declared resources: ra-data-simple-rest, with an
 * `httpClient` for each resource.
 */
export function createDataProvider(apis: ResourceApis): DataProvider {
  const providers = new Map(Object.entries(apis).map(([name, load]) => [name, providerOf(name, load)]))
  const combined = combineDataProviders((resource) => {
    const provider = providers.get(resource)
    if (!provider) throw new Error(`No resource is called ${resource}.`)
    return provider
  })
  // react-admin passes no signal on unless this is `true`; the combined provider has a function for every name.
  return new Proxy(combined, {
    get: (target, name) => (name === 'supportAbortSignal' ? true : (Reflect.get(target, name) as unknown)),
  })
}
