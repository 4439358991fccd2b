import { useSyncExternalStore } from 'react'

let count = 0
const watchers = new Set<() => void>()
const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Number of unread messages, apart from the chat, which loads after the first page. */
export const unread = {
  set(value: number): void {
    count = Math.max(0, value)
    for (const watcher of watchers) watcher()
  },
  add(difference: number): void {
    if (difference !== 0) unread.set(count + difference)
  },
}
export const useUnread = (): number => useSyncExternalStore(watch, () => count)
