import type { KeyboardEvent } from 'react'

/**
 * Moves the focus between the buttons of a toolbar by arrow keys. The toolbar is a single tab stop (ARIA toolbar pattern).
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key]
  if (step === undefined) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
  if (at < 0) return
  event.preventDefault()
  const last = buttons.length - 1
  const next = Number.isFinite(step) ? (at + step + buttons.length) % buttons.length : step < 0 ? 0 : last
  buttons[next]?.focus()
}
