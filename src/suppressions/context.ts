import { createContext } from 'react'

import type { Suppression } from '#contract/suppressions/schema.ts'

/** Suppressions by lower-case address or number. */
export type Suppressions = ReadonlyMap<string, readonly Suppression[]>

interface Suppressed {
  readonly found: Suppressions
  /** Opens the dialog about suppressions of one person. */
  readonly show: (suppressions: readonly Suppression[]) => void
}

/** Suppressions of the addresses on screen. Nothing is marked outside a `MarkSuppressed`, such as in the console. */
export const SuppressedContext = createContext<Suppressed>({ found: new Map(), show: () => undefined })
