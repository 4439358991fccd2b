import type { KeyboardEvent } from 'react'

/** Moves the focus between the messages by arrow keys; from the list itself to the last one. */
export function moveBetweenMessages(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  const { target, currentTarget } = event
  if (step === undefined || !(target === currentTarget || (target as Element).closest('.acts'))) return
  // The menu button of each message stands last in its toolbar.
  const buttons = [...currentTarget.querySelectorAll<HTMLElement>('.acts > button:last-of-type')]
  const at = buttons.findIndex((button) => button.parentElement!.contains(target as Element))
  const next = at < 0 ? buttons.at(-1) : buttons[at + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
