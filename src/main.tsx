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
// A newer version has other file names: one reload finds them. Without an answer it is the line that failed, and a reload would
// leave nothing on the screen.
window.addEventListener('vite:preloadError', () => {
  // Without a lasting note of the reload there would be another one after it, and so on.
  if (!tabStorage.isLasting() || tabStorage.read(RELOADED) === location.pathname) return
  const reload = () => {
    tabStorage.write(RELOADED, location.pathname)
    location.reload()
  }
  void fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(reload, () => undefined)
})

if (isSignedIn(getSession())) {
  void loadApp()
  // Beside the application, not after it. The question who this is comes with the application: with its answer there at once,
  // the page is drawn before anything else is asked for, and its data come 150 ms later.
  if (!isStaffPage()) loadPageAt(location.pathname)
} else void loadPublicApp()

const root = createRoot(document.getElementById('root')!)
// A transition, so that input in the meantime is handled first.
startTransition(() => root.render(<Root />))
