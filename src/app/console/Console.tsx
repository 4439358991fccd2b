import { memo, useEffect, useState } from 'react'
import { RouterProvider } from 'react-router-dom'

import { createAuthProvider } from '#providers/authProvider.ts'
import { addConsoleMessages } from '#providers/i18nProvider.ts'
import { invalidateOnNews } from '#providers/invalidation.ts'
import { live } from '#providers/live.ts'
import { keepSignedIn } from '#providers/send.ts'
import { update } from '#providers/update.ts'

import { createApplication } from '../application.tsx'
import { apisOf, definitionsOf } from '../resourceDefinitions.ts'
import { CONSOLE_PAGES } from './consolePages.tsx'
import { CONSOLE_SECTIONS } from './consoleSections.ts'
import { ConsoleShell } from './ConsoleShell.tsx'
import { signOutOfConsole } from './signOutOfConsole.ts'

addConsoleMessages()

const RESOURCES = CONSOLE_SECTIONS.flatMap(({ resource }) => (resource ? [resource] : []))
const APIS = apisOf(RESOURCES)

const start = () =>
  createApplication({
    name: 'muster.console',
    apis: APIS,
    definitions: definitionsOf(RESOURCES),
    authProvider: createAuthProvider(APIS, signOutOfConsole),
    shell: <ConsoleShell />,
    pages: CONSOLE_PAGES,
  })

/** The provider's console: a second react-admin application with its own API and session. */
export default memo(function Console() {
  const [{ queryClient, router }] = useState(start)
  useEffect(() => {
    const stops = [keepSignedIn(), invalidateOnNews(queryClient), live.start(), update.start()]
    return () => {
      for (const stop of stops) stop()
      router.dispose()
    }
  }, [queryClient, router])
  return <RouterProvider router={router} />
})
