import type { DataProvider } from 'react-admin'

import type { ResourceApis } from './httpClient.ts'

type Method = (resource: string, params: unknown) => Promise<unknown>

/**
 * react-admin's data provider over the contracts of the declared resources: ra-data-simple-rest with an
 * `httpClient` for each. It loads with the first call, because the dashboard makes none.
 */
export function createDataProvider(apis: ResourceApis): DataProvider {
  const providers = new Map<string, Promise<DataProvider>>()
  const providerOf = (resource: string): Promise<DataProvider> => {
    const load = apis[resource]
    if (!load) return Promise.reject(new Error(`No resource is called ${resource}.`))
    const known =
      providers.get(resource) ??
      import('./restProvider.ts').then(({ restProvider }) => restProvider(resource, load))
    providers.set(resource, known)
    return known
  }
  const methodOf =
    (name: string): Method =>
    async (resource, params) => {
      const method = (await providerOf(resource))[name] as Method
      return method(resource, params)
    }
  // react-admin passes a signal on only if `supportAbortSignal` is `true`. A `then` would make it a promise.
  return new Proxy({ supportAbortSignal: true } as DataProvider, {
    get: (target, name) =>
      typeof name === 'symbol' || name === 'then' || name in target
        ? (Reflect.get(target, name) as unknown)
        : methodOf(name),
  })
}
