import { type ReactNode, useSyncExternalStore } from 'react'

let content: ReactNode = null
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Shows content beside every page until it is replaced; null removes it. */
export function dock(next: ReactNode): void {
  content = next
  for (const listener of listeners) listener()
}
/** The content beside every page. */
export const useDocked = (): ReactNode => useSyncExternalStore(subscribe, () => content)
