import '@fontsource-variable/inter/wght.css'
import './kit/theme/base.css'

import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'

import { startErrorReporting } from '#providers/errorReporting.ts'
import { appId, getSession, isSignedIn, isStaffPage } from '#providers/session.ts'
import { tabStorage } from '#providers/storage.ts'

import { loadPageAt } from './app/pageFiles.ts'
import { loadApp, loadPublicApp, Root } from './app/Root.tsx'
import { applyStoredScheme } from './kit/theme/scheme.ts'

applyStoredScheme()
appId()
startErrorReporting()

const RELOADED = 'muster.reloaded'
// A newer version has other file names, which one reload finds. Without an answer the connection failed, and
// a reload would leave a blank page.
window.addEventListener('vite:preloadError', () => {
  // Without lasting storage the reload could repeat for ever.
  if (!tabStorage.isLasting() || tabStorage.read(RELOADED) === location.pathname) return
  const reload = () => {
    tabStorage.write(RELOADED, location.pathname)
    location.reload()
  }
  void fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(reload, () => undefined)
})

if (isSignedIn(getSession())) {
  void loadApp()
  // Loads beside the application, not after it: otherwise the page renders before its data are requested, 150 ms later.
  if (!isStaffPage()) loadPageAt(location.pathname)
} else void loadPublicApp()

const root = createRoot(document.getElementById('root')!)
// A transition, so that input in the meantime is handled first.
startTransition(() => root.render(<Root />))
