import type { DataProvider, GetOneParams, RaRecord } from 'react-admin'
import simpleRestProvider from 'ra-data-simple-rest'

import { request } from './api.ts'
import { createHttpClient, type ResourceApi } from './httpClient.ts'

/** Pagination of a list without one; ra-data-simple-rest would request ten rows. */
const EVERYTHING = { page: 1, perPage: Infinity }

/** ra-data-simple-rest over the contract of one resource. */
export function restProvider(name: string, load: () => Promise<ResourceApi>): DataProvider {
  const provider = simpleRestProvider('', createHttpClient(name, load))
  const getSummary = async <Row extends RaRecord>({ id, signal }: GetOneParams<Row>) => {
    const { summary } = await load()
    return { data: (await (await request(summary!, { params: { id }, signal })).json()) as Row }
  }
  return {
    ...provider,
    getOne: (resource, params) =>
      params.meta?.isSummary ? getSummary(params) : provider.getOne(resource, params),
    getList: async (resource, params) => {
      let totalIsMinimum = false
      const client = createHttpClient(name, load, () => (totalIsMinimum = true))
      const pagination = params.pagination ?? EVERYTHING
      const list = await simpleRestProvider('', client).getList(resource, { ...params, pagination })
      return totalIsMinimum ? { ...list, meta: { totalIsMinimum } } : list
    },
  }
}
