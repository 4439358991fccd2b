import { proposalTexts, startActsOf } from '#contract/playbooks/rules.ts'
import type { PlaybookTemplate } from '#contract/playbooks/schema.ts'

/** True for a playbook that acts by itself at the start, or says when it is proposed. */
export const hasStart = ({ start, proposal }: Pick<PlaybookTemplate, 'start' | 'proposal'>): boolean =>
  startActsOf(start).length + proposalTexts(proposal).length > 0
