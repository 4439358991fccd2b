import { useEffect, useEffectEvent } from 'react'

const isText = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type))

/** Undoes with Ctrl or Cmd and Z, and redoes with Shift or with Y. A field with text undoes its own letters. */
export function useUndoKeys(undo: () => void, redo: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { target, shiftKey } = event
    const letter = event.key.toLowerCase()
    if (event.altKey || !(event.ctrlKey || event.metaKey) || (letter !== 'z' && letter !== 'y')) return
    if (isText(target) && target.value !== '') return
    if (target instanceof Element && target.closest('[role="dialog"], [contenteditable="true"]')) return
    event.preventDefault()
    if (letter === 'y' || shiftKey) redo()
    else undo()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
