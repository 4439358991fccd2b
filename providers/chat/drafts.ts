import { useSyncExternalStore } from 'react'

import { getSession } from '../session.ts'
import { storage } from '../storage.ts'
import { keptKey } from './kept.ts'

const watchers = new Set<() => void>()
const watch = (watcher: () => void) => {
  watchers.add(watcher)
  // Another tab writes, too.
  window.addEventListener('storage', watcher)
  return () => {
    watchers.delete(watcher)
    window.removeEventListener('storage', watcher)
  }
}

/** Stores a draft under its key; null removes it. */
export function writeDraft(key: string, draft: string | null): void {
  const isNews = (storage.read(key) === null) !== (draft === null)
  storage.write(key, draft)
  if (isNews) for (const watcher of watchers) watcher()
}

/** True while the person has an unsent draft in a room. */
export const useHasDraft = (roomId: string): boolean =>
  useSyncExternalStore(watch, () => storage.read(keptKey('draft', getSession().uuid ?? '', roomId)) !== null)
