import { useSyncExternalStore } from 'react'

/** Key of the one message that is edited on this page: `editKey`. */
let edited: string | null = null
let opener: HTMLElement | null = null
/** The input so far, kept here because scrolling unmounts the row. */
let typed: string | null = null
const watchers = new Set<() => void>()
const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
const become = (key: string | null) => {
  edited = key
  for (const watcher of watchers) watcher()
}

/** Key of a message's row: the room and the thread may both show it. */
export const editKey = (messageId: string, isInThread: boolean): string =>
  isInThread ? `thread ${messageId}` : messageId
/** Opens the editor in the row of one's own message, by its key. `stopEditing` returns the element that had the focus before. */
export function startEditing(key: string): void {
  opener = document.activeElement instanceof HTMLElement ? document.activeElement : null
  typed = null
  become(key)
}
/** Closes the editor. Returns the element that had the focus before, if it is still on the page. */
export function stopEditing(): HTMLElement | null {
  const before = opener?.isConnected ? opener : null
  opener = null
  typed = null
  become(null)
  return before
}
interface Edited {
  readonly id: string
  readonly draft: string
}
/** The edited message with its input; undefined without input. */
export const editedMessage = (): Edited | undefined =>
  edited !== null && typed !== null ? { id: edited, draft: typed } : undefined
/** Opens the editor of a message again with its earlier input. */
export function resumeEditing({ id, draft }: Edited): void {
  opener = null
  typed = draft
  become(id)
}
/** Keeps the input as the editor's HTML. */
export const keepEdit = (draft: string): void => {
  typed = draft
}
/** The input so far; null for none. */
export const keptEdit = (): string | null => typed
export const useIsEdited = (key: string): boolean => useSyncExternalStore(watch, () => edited === key)
