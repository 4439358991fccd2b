import type { PlaybookProposal } from '#contract/playbooks/schema.ts'
import { useText } from '#src/kit/useText.ts'

/** The proposal of a playbook as a sentence; undefined for one that is not proposed. */
export function useProposalWords({ kinds, severities, words }: PlaybookProposal): string | undefined {
  const text = useText()
  const parts = [
    kinds.length > 0 && kinds.map((kind) => text(`playbooks.kinds.${kind}`)).join(', '),
    severities.length > 0 &&
      text('playbooks.ofSeverities', {
        severities: severities.map((severity) => text(`incidents.severities.${severity}`)).join(', '),
      }),
    words.length > 0 && text('playbooks.withWords', { words: words.map((word) => `“${word}”`).join(', ') }),
  ].filter(Boolean)
  return parts.length === 0 ? undefined : text('playbooks.proposedFor', { parts: parts.join(' · ') })
}
