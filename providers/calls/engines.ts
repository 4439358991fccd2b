import type { CallEngine } from '#contract/calls/schema.ts'

import type { JoinEngine } from './engine.ts'

/** Loads the engine of a kind on demand, with the first call. */
export const ENGINES: Readonly<Record<CallEngine['kind'], () => Promise<JoinEngine>>> = {
  'built-in': async () => (await import('./built-in/join.ts')).join,
  jitsi: async () => (await import('./jitsi/join.ts')).join,
}
