import { useEffect, useSyncExternalStore } from 'react'

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

const TYPES = 'input, textarea, select, [contenteditable=true], [role=dialog], [role=alertdialog]'

function onKey(event: KeyboardEvent) {
  // The editor of formatted text uses the same keys for a link.
  if (event.defaultPrevented) return
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
    event.preventDefault()
    openFinder('all')
  }
  if (event.key === '?' && !(event.target as Element).closest(TYPES)) openShortcuts()
}

/** Opens the finder with Ctrl or Cmd and K, and the list of shortcuts with a question mark. */
export function useShellKeys(): void {
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
