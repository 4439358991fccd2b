import type { MouseEvent } from 'react'

/** Ignores the second click of a double click, so that a form is submitted once. */
export function onceClicked(event: MouseEvent) {
  if (event.detail > 1) event.preventDefault()
}
