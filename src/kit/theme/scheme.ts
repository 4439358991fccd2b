import { storage } from '#providers/storage.ts'

export type SchemeChoice = 'light' | 'dark' | 'system'

/** Where the chosen colour scheme is kept, for the theme and for the pages without it. */
export const SCHEME_KEY = 'muster.scheme'
/** The attribute of the document that the style sheets look at. */
export const SCHEME_ATTRIBUTE = 'data-scheme'

/** Shows the chosen colour scheme where there is no theme; without a choice the system's holds. */
export function applyStoredScheme() {
  const stored = storage.read(SCHEME_KEY)
  if (stored === 'light' || stored === 'dark') document.documentElement.setAttribute(SCHEME_ATTRIBUTE, stored)
  else document.documentElement.removeAttribute(SCHEME_ATTRIBUTE)
}
