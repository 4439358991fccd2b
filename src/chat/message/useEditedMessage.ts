import { useSyncExternalStore } from 'react'

/** The message of this page that is being edited: one at most. */
let edited: string | null = null
let opener: HTMLElement | null = null
/** What was typed so far: its row leaves the page when it is scrolled away. */
let typed: string | null = null
const watchers = new Set<() => void>()
const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
const become = (messageId: string | null) => {
  edited = messageId
  for (const watcher of watchers) watcher()
}

/** Opens the editor in the row of one's own message. `stopEditing` returns what had the focus before. */
export function startEditing(messageId: string): void {
  opener = document.activeElement instanceof HTMLElement ? document.activeElement : null
  typed = null
  become(messageId)
}
/** Closes the editor. Returns the element that had the focus before, where the page still has it. */
export function stopEditing(): HTMLElement | null {
  const before = opener?.isConnected ? opener : null
  opener = null
  typed = null
  become(null)
  return before
}
/** A message that is edited, with what was typed so far. */
interface Edited {
  readonly id: string
  readonly draft: string
}
/** The message in which something was typed; undefined where there is none. */
export const editedMessage = (): Edited | undefined =>
  edited !== null && typed !== null ? { id: edited, draft: typed } : undefined
/** Opens the editor of a message again with what was typed in it. */
export function resumeEditing({ id, draft }: Edited): void {
  opener = null
  typed = draft
  become(id)
}
/** Keeps what was typed, as the editor reads it. */
export const keepEdit = (draft: string): void => {
  typed = draft
}
/** What was typed so far; null for nothing. */
export const keptEdit = (): string | null => typed
/** Whether a message is being edited. */
export const useIsEdited = (messageId: string): boolean =>
  useSyncExternalStore(watch, () => edited === messageId)
