import type { Me } from '#contract/incidents/rules.ts'

import type { Decision } from './schema.ts'

/** A decided decision never changes. */
export const decisionCan = {
  edit: ({ state }: Pick<Decision, 'state'>): boolean => state === 'PROPOSED',
  /** The decider confirms, or an administrator on their behalf. */
  confirm: ({ state, isMine }: Pick<Decision, 'state' | 'isMine'>, me: Me): boolean =>
    state === 'PROPOSED' && (isMine || me.role === 'ADMIN'),
  supersede: ({ state }: Pick<Decision, 'state'>): boolean => state === 'DECIDED',
}
