import { lazy as reactLazy } from 'react'

/** Time until the next try, while the browser knows nothing of the connection. */
const RETRY_MS = 5_000

/** Resolves once the browser is online: at once, at the next `online` event, or after `patience`. */
const nextChance = (patience?: number): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = patience === undefined ? undefined : setTimeout(done, patience)
    window.addEventListener('online', done)
  })

const isServerReachable = (): Promise<boolean> =>
  fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )

/**
 * Runs a dynamic import, and again whenever the connection is back, while it fails for want of one. Waits without a
 * request while the browser is offline, because some browsers keep the failure of a module until the page is reloaded.
 * @throws the error of an import that fails although the server can be reached
 */
export async function loadOnline<T>(load: () => Promise<T>): Promise<T> {
  let isRepeated = false
  for (;;) {
    if (!navigator.onLine) await nextChance()
    try {
      return await load()
    } catch (error) {
      if (navigator.onLine && (await isServerReachable())) {
        // The connection may have come back since.
        if (isRepeated) throw error
        isRepeated = true
      } else {
        isRepeated = false
        if (navigator.onLine) await nextChance(RETRY_MS)
      }
    }
  }
}

/** React's `lazy` for a chunk of the build. Without a connection it stays suspended until the connection is back. */
export const lazy: typeof reactLazy = (load) => reactLazy(() => loadOnline(load))
