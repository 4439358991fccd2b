import {
  type ComponentType,
  startTransition,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react'

import { isSignedIn, useSession } from '#providers/session.ts'
import { Boot } from '#src/kit/feedback/Boot.tsx'
import { entryState, go, usePath } from '#src/kit/browser/location.ts'
import { elsewhere, isForEverybody, PublicApp } from '#src/sign-in/PublicApp.tsx'

import { CrashGuard } from './CrashGuard.tsx'
import { OfflineScreen } from './OfflineScreen.tsx'

export const loadApp = () => import('./App.tsx')

/**
 * The application, once it is there. A boundary of React's would show it 300 ms after its fallback at the earliest, and
 * until then render it over and over, because of the deferred values in it.
 */
function SignedIn() {
  const [App, setApp] = useState<ComponentType>()
  useEffect(() => {
    loadApp().then(
      (loaded) => startTransition(() => setApp(() => loaded.default)),
      (error: unknown) =>
        setApp(() => {
          throw error
        }),
    )
  }, [])
  return App ? <App /> : <Boot />
}

const watchNetwork = (listener: () => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** The session decides between the application and the pages before it. */
export function Root() {
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
        {right ? null : isSignedIn(session) && !isForEverybody(path) ? (
          <SignedIn />
        ) : (
          <PublicApp path={path} onFirstKeystroke={() => void loadApp()} />
        )}
      </div>
      {!online && <OfflineScreen />}
    </CrashGuard>
  )
}
