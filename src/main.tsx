import '@fontsource-variable/inter/wght.css'
import './kit/base.css'

import { lazy, Suspense, useLayoutEffect, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'

import { appId, getSession, isSignedIn, useSession } from '#providers/session.ts'

import { CrashGuard } from './app/CrashGuard.tsx'
import { OfflineScreen } from './app/OfflineScreen.tsx'
import { entryState, go, usePath } from './kit/location.ts'
import { applyStoredScheme } from './kit/scheme.ts'
import { elsewhere, PublicApp } from './sign-in/PublicApp.tsx'

const loadApp = () => import('./app/App.tsx')
const App = lazy(loadApp)

const watchNetwork = (listener: () => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** The session decides between the application and the pages before it. */
function Root() {
  const path = usePath()
  const session = useSession()
  const online = useSyncExternalStore(watchNetwork, () => navigator.onLine)
  const right = elsewhere(path, session, entryState())
  useLayoutEffect(() => {
    if (right) go(right.to, { replace: true, ...(right.state && { state: right.state }) })
  })
  return (
    <CrashGuard>
      {/* Kept while offline, so that nothing typed is lost. */}
      <div hidden={!online}>
        {right ? null : isSignedIn(session) ? (
          <Suspense>
            <App />
          </Suspense>
        ) : (
          <PublicApp path={path} onFirstKeystroke={() => void loadApp()} />
        )}
      </div>
      {!online && <OfflineScreen />}
    </CrashGuard>
  )
}

applyStoredScheme()
appId()
if (isSignedIn(getSession())) {
  void loadApp()
  // The page that most visits begin with loads beside the application, not after it.
  if (location.pathname === '/') void import('./dashboard/DashboardPage.tsx')
}

createRoot(document.getElementById('root')!).render(<Root />)
