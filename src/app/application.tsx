import { onlineManager, QueryClient } from '@tanstack/react-query'
import {
  type AuthProvider,
  CoreAdminContext,
  localStorageStore,
  ResourceDefinitionContextProvider,
  type ResourceDefinitions,
} from 'react-admin'
import { type ReactNode, StrictMode } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router-dom'

import { createDataProvider } from '#providers/dataProvider.ts'
import type { ResourceApis } from '#providers/httpClient.ts'
import { i18nProvider } from '#providers/i18nProvider.ts'
import { statusOf } from '#providers/problem.ts'

import { PagesFailed } from './PagesFailed.tsx'

/** Retries failures of the network and the server once; refusals are final. */
const worthRetrying = (failures: number, error: Error) => failures < 1 && (statusOf(error) ?? 500) >= 500

interface Application {
  /** Names the preferences that the browser keeps. */
  readonly name: string
  readonly apis: ResourceApis
  readonly definitions: ResourceDefinitions
  readonly authProvider: AuthProvider
  readonly shell: ReactNode
  readonly pages: RouteObject[]
}

/**
 * A react-admin application with its router. Created at mount, not on import: a router that outlives a
 * sign-out would keep its address.
 */
export function createApplication({ name, apis, definitions, authProvider, shell, pages }: Application) {
  // TanStack's online manager listens only from now on, so the current state is set by hand.
  onlineManager.setOnline(navigator.onLine)
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: worthRetrying, staleTime: 15_000 } },
  })
  const store = localStorageStore('1', name)
  // Without a language in the store, react-admin renders nothing first and then everything in one task.
  if (store.getItem('locale') === undefined) store.setItem('locale', i18nProvider.getLocale())
  const context = { queryClient, dataProvider: createDataProvider(apis), authProvider, i18nProvider, store }
  const element = (
    <StrictMode>
      <CoreAdminContext {...context}>
        <ResourceDefinitionContextProvider definitions={definitions}>
          {shell}
        </ResourceDefinitionContextProvider>
      </CoreAdminContext>
    </StrictMode>
  )
  const router = createBrowserRouter([{ element, errorElement: <PagesFailed />, children: pages }])
  return { queryClient, router }
}
