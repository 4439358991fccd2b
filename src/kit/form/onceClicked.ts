import type { MouseEvent } from 'react'

/** For buttons that send: the second click of a double click is no second wish, however quick the first was done. */
export function onceClicked(event: MouseEvent) {
  if (event.detail > 1) event.preventDefault()
}
