import { useInsertionEffect, useState } from 'react'

/** MUI's sentinels, which send the focus from a dialog's end to its start, and back. */
const FIRST = '[data-testid="sentinelStart"]'
const LAST = '[data-testid="sentinelEnd"]'
const FOCUSABLE = 'button:not([disabled]), a[href]'

/** The dialog, drawer or menu that traps the focus now; undefined for none. */
const topDialog = (): Element | undefined =>
  [...document.querySelectorAll('.MuiModal-root')]
    .filter((dialog) => dialog.querySelector(`:scope > ${FIRST}`)?.getAttribute('tabindex') === '0')
    .at(-1)

function focusEdge(host: HTMLElement, edge: 'first' | 'last'): boolean {
  const target = [...host.querySelectorAll<HTMLElement>(FOCUSABLE)].at(edge === 'first' ? 0 : -1)
  target?.focus()
  return target !== undefined
}

/** Tab at an edge of the host moves the focus into the dialog below. */
function leave(host: HTMLElement, event: KeyboardEvent) {
  const dialog = topDialog()
  if (event.key !== 'Tab' || !dialog) return
  const edge = [...host.querySelectorAll(FOCUSABLE)].at(event.shiftKey ? 0 : -1)
  if (document.activeElement !== edge) return
  event.preventDefault()
  dialog.querySelector<HTMLElement>(`:scope > ${event.shiftKey ? LAST : FIRST}`)?.focus()
}

/** Tab at an edge of the dialog moves the focus into the host, before the dialog's other edge. */
function enter(host: HTMLElement, event: FocusEvent) {
  const { target, relatedTarget } = event
  if (!(target instanceof Element) || host.contains(relatedTarget as Node | null)) return
  if (target.parentElement !== topDialog()) return
  const edge = target.matches(LAST) ? 'first' : target.matches(FIRST) ? 'last' : null
  if (edge && focusEdge(host, edge)) event.stopImmediatePropagation()
}

/** Lets Tab pass through the host without dialogs noticing. Returns the function that removes the host. */
function attach(host: HTMLElement): () => void {
  document.body.append(host)
  const hidden = new MutationObserver(() => {
    if (host.hasAttribute('aria-hidden')) host.removeAttribute('aria-hidden')
  })
  hidden.observe(host, { attributeFilter: ['aria-hidden'] })
  const onEnter = (event: FocusEvent) => enter(host, event)
  window.addEventListener('focusin', onEnter, true)
  // Dialogs listen at the document for a focus that left them, and take it back.
  host.addEventListener('focusin', (event) => event.stopPropagation())
  host.addEventListener('keydown', (event) => leave(host, event))
  return () => {
    hidden.disconnect()
    window.removeEventListener('focusin', onEnter, true)
    host.remove()
  }
}

/**
 * An element on the page for content that must be seen, heard and focused while a dialog is open. MUI's
 * dialogs take the focus back from everything else and hide it from screen readers.
 */
export function useHostAboveDialogs(): HTMLElement {
  const [host] = useState(() => document.createElement('div'))
  // The host is attached before the layout effects of its content, which move the focus.
  useInsertionEffect(() => attach(host), [host])
  return host
}
