import { useSyncExternalStore } from 'react'

export interface EntryState {
  /** Path after sign-in. */
  readonly next?: string
  /** True while the organisation is to be changed. */
  readonly change?: boolean
  /** The address that was typed on the previous page. */
  readonly email?: string
}

const listeners = new Set<() => void>()
const changed = () => {
  for (const listener of listeners) listener()
}

const watch = (listener: () => void) => {
  listeners.add(listener)
  window.addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('popstate', listener)
  }
}

/** Navigates without a reload, for pages outside the router. */
export function go(path: string, { replace = false, state }: { replace?: boolean; state?: EntryState } = {}) {
  history[replace ? 'replaceState' : 'pushState'](state ?? null, '', path)
  changed()
}

export const usePath = (): string => useSyncExternalStore(watch, () => location.pathname)

/** The query string of the address, with its question mark. */
export const useSearch = (): string => useSyncExternalStore(watch, () => location.search)

/** The fragment of the address, with its number sign. */
export const useHash = (): string => useSyncExternalStore(watch, () => location.hash)

export const entryState = (): EntryState => {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null ? state : {}
}
