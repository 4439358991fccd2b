import { createContext } from 'react'

import type { Suppression } from '#contract/suppressions/schema.ts'

/** Suppressions by lower-case address or number, and by `personKey` of the user whose number it is. */
export type Suppressions = ReadonlyMap<string, readonly Suppression[]>

/** Key of the suppressions of a user's numbers. */
export const personKey = (email: string): string => `person ${email.toLowerCase()}`

interface Suppressed {
  readonly found: Suppressions
  /** Opens the dialog about suppressions of one person. */
  readonly show: (suppressions: readonly Suppression[]) => void
}

/** Suppressions of the addresses on screen. Nothing is marked outside a `MarkSuppressed`, such as in the console. */
export const SuppressedContext = createContext<Suppressed>({ found: new Map(), show: () => undefined })
