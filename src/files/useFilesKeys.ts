import { useEffect, useEffectEvent } from 'react'

import type { Selection } from './selectionValues.ts'

/** Elements that use the keys themselves. */
const OWN_KEYS =
  'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

interface Keys {
  readonly rows: Selection
  readonly selection: Selection
  readonly onSelect: (ids: readonly number[]) => void
  readonly onRename: (item: Selection[number]) => void
  readonly onDelete: (items: Selection) => void
  readonly onCopy: (items: Selection) => void
  readonly onPaste: () => void
}

/** The row or tile with the focus. */
function focusedIn(rows: Selection): Selection {
  const id = document.activeElement?.closest<HTMLElement>('[data-id]')?.dataset['id']
  return rows.filter((row) => String(row.id) === id)
}

/** Handles a key with Ctrl or Cmd. Returns whether it did. */
function handleWithControl(event: KeyboardEvent, items: Selection, { rows, ...keys }: Keys): boolean {
  if (event.shiftKey || event.altKey) return false
  const key = event.key.toLowerCase()
  if (key === 'a') keys.onSelect(rows.map(({ id }) => id))
  else if (key === 'v') keys.onPaste()
  // Words that are marked are copied as words.
  else if (key === 'c' && items.length > 0 && String(window.getSelection()) === '') keys.onCopy(items)
  else return false
  return true
}

/** Handles a key for the selection, or else for the focused item. Returns whether it did. */
function handle(event: KeyboardEvent, keys: Keys): boolean {
  const { rows, selection } = keys
  const items = selection.length > 0 ? selection : focusedIn(rows)
  if (event.ctrlKey || event.metaKey) return handleWithControl(event, items, keys)
  const [first] = items
  const areEditable = first !== undefined && items.every(({ isEditable }) => isEditable)
  if (event.key === 'F2' && areEditable && items.length === 1) keys.onRename(first)
  else if (event.key === 'Delete' && areEditable) keys.onDelete(items)
  else if (event.key === 'Escape' && selection.length > 0) keys.onSelect([])
  else return false
  return true
}

/** The keys of the page of files, wherever the focus is, except where somebody types or answers. */
export function useFilesKeys(keys: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    if (event.defaultPrevented || (target instanceof Element && target.closest(OWN_KEYS))) return
    if (handle(event, keys)) event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
