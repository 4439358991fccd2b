import type { PlaybookTemplate } from '#contract/playbooks/schema.ts'

/**
 * True for a playbook that acts by itself at the start, or says when it is proposed. Asks the values themselves, because
 * the rules of playbooks load with their block only.
 */
export const hasStart = ({ start, proposal }: Pick<PlaybookTemplate, 'start' | 'proposal'>): boolean =>
  [...Object.values(start), ...Object.values(proposal)].some((value) =>
    Array.isArray(value) ? value.length > 0 : Boolean(value),
  )
