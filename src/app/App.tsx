import { onlineManager, QueryClient } from '@tanstack/react-query'
import { CoreAdminContext, localStorageStore, ResourceDefinitionContextProvider } from 'ra-core'
import { memo, StrictMode, useEffect, useState } from 'react'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'

import { createAuthProvider } from '#providers/authProvider.ts'
import { createDataProvider } from '#providers/dataProvider.ts'
import { i18nProvider } from '#providers/i18nProvider.ts'
import { invalidateOnNews } from '#providers/invalidation.ts'
import { live } from '#providers/live.ts'
import { statusOf } from '#providers/problem.ts'
import { checkSession } from '#providers/readiness.ts'
import { keepSignedIn } from '#providers/send.ts'
import { shareQueries, tabs } from '#providers/tabs.ts'
import { update } from '#providers/update.ts'

import { PAGES, PagesFailed } from './Pages.tsx'
import { APIS, DEFINITIONS } from './resourceDefinitions.ts'
import { Shell } from './Shell.tsx'

/** A refusal stays a refusal; only what may pass is asked for again. */
const worthRetrying = (failures: number, error: Error) => failures < 1 && (statusOf(error) ?? 500) >= 500

const createQueryClient = () =>
  new QueryClient({ defaultOptions: { queries: { retry: worthRetrying, staleTime: 15_000 } } })

function start() {
  // It hears of the network only while the application is open: what happened before has to be looked up.
  onlineManager.setOnline(navigator.onLine)
  const queryClient = createQueryClient()
  const store = localStorageStore('1', 'muster')
  // As long as the store names no language, react-admin renders nothing first and then everything in one task.
  if (store.getItem('locale') === undefined) store.setItem('locale', i18nProvider.getLocale())
  const context = {
    queryClient,
    dataProvider: createDataProvider(APIS),
    authProvider: createAuthProvider(APIS),
    i18nProvider,
    store,
  }
  const element = (
    <StrictMode>
      <CoreAdminContext {...context}>
        <ResourceDefinitionContextProvider definitions={DEFINITIONS}>
          <Shell />
        </ResourceDefinitionContextProvider>
      </CoreAdminContext>
    </StrictMode>
  )
  // Made here and not on import: a router that outlives a sign-out would remember where it was.
  const router = createBrowserRouter([{ element, errorElement: <PagesFailed />, children: PAGES }])
  return { queryClient, router }
}

/** The application of those who are signed in. What changes in the session is for those to hear who look at it. */
export default memo(function App() {
  const [{ queryClient, router }] = useState(start)
  useEffect(() => {
    void checkSession()
    // Not needed for the first page: an answer that names people brings the module itself.
    const following = import('#providers/people.ts').then(({ people }) => people.start())
    const stops = [
      keepSignedIn(),
      invalidateOnNews(queryClient),
      live.start(),
      tabs.start(),
      update.start(),
      shareQueries(queryClient, () => live.status() === 'down'),
    ]
    return () => {
      for (const stop of stops) stop()
      void following.then((stop) => stop())
      router.dispose()
    }
  }, [queryClient, router])
  return <RouterProvider router={router} />
})
