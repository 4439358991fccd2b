import type { CallEngine } from '#contract/calls/schema.ts'

import { HttpProblem } from '../problem.ts'
import type { JoinEngine } from './engine.ts'
import { UNSUPPORTED } from './support.ts'

const unsupported = async () => {
  throw new HttpProblem(UNSUPPORTED, 400, { code: 'unsupported' })
}
/** Loads the code that carries calls of a kind. Nothing of it loads before somebody joins one. */
export const ENGINES: Readonly<Record<CallEngine['kind'], () => Promise<JoinEngine>>> = {
  'built-in': async () => (await import('./built-in/join.ts')).join,
  jitsi: unsupported,
}
