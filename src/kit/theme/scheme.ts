import { storage } from '#providers/storage.ts'

export type SchemeChoice = 'light' | 'dark' | 'system'

/** Storage key of the chosen colour scheme. */
export const SCHEME_KEY = 'muster.scheme'
/** Attribute of the document that selects the colours of style sheets. */
export const SCHEME_ATTRIBUTE = 'data-scheme'

/** Sets the colour scheme before the first render. The theme follows changes only from its first effect on. */
export function applyStoredScheme() {
  const stored = storage.read(SCHEME_KEY)
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const scheme = stored === 'light' || stored === 'dark' ? stored : system
  document.documentElement.setAttribute(SCHEME_ATTRIBUTE, scheme)
}
