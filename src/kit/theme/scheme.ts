import { storage } from '#providers/storage.ts'

export type SchemeChoice = 'light' | 'dark' | 'system'

/** Where the chosen colour scheme is kept. */
export const SCHEME_KEY = 'muster.scheme'
/** The attribute of the document by which style sheets choose their colours. */
export const SCHEME_ATTRIBUTE = 'data-scheme'

/** Sets the colour scheme before the first render. The theme follows changes of it only from its first effect on. */
export function applyStoredScheme() {
  const stored = storage.read(SCHEME_KEY)
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const scheme = stored === 'light' || stored === 'dark' ? stored : system
  document.documentElement.setAttribute(SCHEME_ATTRIBUTE, scheme)
}
