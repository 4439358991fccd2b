import type { DataProvider } from 'ra-core'
import simpleRestProvider from 'ra-data-simple-rest'

import { createHttpClient, type ResourceApi } from './httpClient.ts'

/** What a list without pagination asks for; ra-data-simple-rest would ask for ten rows. */
const EVERYTHING = { page: 1, perPage: Infinity }

/** ra-data-simple-rest over the contract of one resource. */
export function restProvider(name: string, load: () => Promise<ResourceApi>): DataProvider {
  const provider = simpleRestProvider('', createHttpClient(name, load))
  return {
    ...provider,
    getList: (resource, params) =>
      provider.getList(resource, { ...params, pagination: params.pagination ?? EVERYTHING }),
  }
}
