import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void) {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** True while the browser reports the device online. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine)
