import {
  type ComponentType,
  startTransition,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react'

import { isSignedIn, isStaffPage, useSession } from '#providers/session.ts'
import { loadOnline } from '#src/kit/browser/lazy.ts'
import { entryState, go, usePath } from '#src/kit/browser/location.ts'
import { Boot } from '#src/kit/feedback/Boot.tsx'
import { Themed } from '#src/kit/theme/Themed.tsx'
import { isForEverybody, redirectOf, WELCOME } from '#src/sign-in/publicRoutes.ts'

import { CrashGuard } from './CrashGuard.tsx'
import { OfflineScreen } from './OfflineScreen.tsx'

const loadOrganisationApp = async () => (await import('./App.tsx')).default
const loadConsole = async () => (await import('./console/Console.tsx')).default
/** Loads the application of the page's address: the organisation's, or the provider's console. */
export const loadApp = () => (isStaffPage() ? loadConsole() : loadOrganisationApp())
export const loadPublicApp = async () => (await import('./PublicApp.tsx')).default
const loadWelcome = async () => (await import('#src/welcome/WelcomePage.tsx')).WelcomePage

/**
 * Renders a component once its chunk has loaded. Suspense would reveal it at least 300 ms after its fallback,
 * and re-render the application until then because of its deferred values.
 */
function Loaded({ load }: { load: () => Promise<ComponentType> }) {
  const [Component, setComponent] = useState<ComponentType>()
  useEffect(() => {
    loadOnline(load).then(
      (component) => startTransition(() => setComponent(() => component)),
      (error: unknown) =>
        setComponent(() => {
          throw error
        }),
    )
  }, [load])
  return Component ? <Component /> : <Boot />
}

const watchNetwork = (listener: () => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Renders the application or the public pages, depending on the session. */
export function Root() {
  const path = usePath()
  const session = useSession()
  const online = useSyncExternalStore(watchNetwork, () => navigator.onLine)
  const redirect = redirectOf(path, session, entryState())
  useLayoutEffect(() => {
    if (redirect) go(redirect.to, { replace: true, ...(redirect.state && { state: redirect.state }) })
  })
  return (
    <Themed>
      <CrashGuard>
        {/* Stays mounted while offline, so that nothing typed is lost. */}
        <div hidden={!online}>
          {redirect ? null : isSignedIn(session) && !isForEverybody(path) ? (
            // Another tab may sign in as somebody else, who must begin with an empty cache.
            <Loaded key={`app ${session.uuid}`} load={loadApp} />
          ) : (
            // The first keystroke announces a sign-in: the application loads while the person types.
            <div key="public" onInput={() => void loadApp()}>
              <Loaded load={path === WELCOME ? loadWelcome : loadPublicApp} />
            </div>
          )}
        </div>
        {!online && <OfflineScreen />}
      </CrashGuard>
    </Themed>
  )
}
