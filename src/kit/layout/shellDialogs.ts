import { useSyncExternalStore } from 'react'

/** Records among which the finder looks. */
export type FinderScope = 'all' | 'rooms'
/** A dialog of the shell that is reached by keyboard and from several pages. */
export type ShellDialog =
  | { readonly kind: 'find'; readonly scope: FinderScope }
  | { readonly kind: 'shortcuts' }

let shown: ShellDialog | null = null
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
function show(next: ShellDialog | null): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Finds rooms, people, incidents, playbooks, files, pages and acts, or rooms alone. */
export const openFinder = (scope: FinderScope): void => show({ kind: 'find', scope })
export const openShortcuts = (): void => show({ kind: 'shortcuts' })
export const closeShellDialog = (): void => show(null)
export const useShellDialog = (): ShellDialog | null => useSyncExternalStore(subscribe, () => shown)
