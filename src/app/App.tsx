import { memo, useEffect, useState } from 'react'
import { RouterProvider } from 'react-router-dom'

import { createAuthProvider } from '#providers/authProvider.ts'
import { invalidateOnNews } from '#providers/invalidation.ts'
import { live } from '#providers/live.ts'
import { people } from '#providers/people.ts'
import { checkSession } from '#providers/readiness.ts'
import { keepSignedIn, signOut } from '#providers/send.ts'
import { shareQueries, tabs } from '#providers/tabs.ts'
import { update } from '#providers/update.ts'

import { createApplication } from './application.tsx'
import { PAGES } from './Pages.tsx'
import { apisOf, definitionsOf } from './resourceDefinitions.ts'
import { SECTION_RESOURCES } from './sections.ts'
import { Shell } from './Shell.tsx'

const APIS = apisOf(SECTION_RESOURCES)

const start = () =>
  createApplication({
    name: 'muster',
    apis: APIS,
    definitions: definitionsOf(SECTION_RESOURCES),
    authProvider: createAuthProvider(APIS, signOut),
    shell: <Shell />,
    pages: PAGES,
  })

/** The application of signed-in people. Memoised: components that need the session subscribe to it themselves. */
export default memo(function App() {
  const [{ queryClient, router }] = useState(start)
  useEffect(() => {
    void checkSession()
    const stops = [
      keepSignedIn(),
      invalidateOnNews(queryClient),
      live.start(),
      people.start(),
      tabs.start(),
      update.start(),
      shareQueries(queryClient, () => live.status() === 'down'),
    ]
    return () => {
      for (const stop of stops) stop()
      router.dispose()
    }
  }, [queryClient, router])
  return <RouterProvider router={router} />
})
