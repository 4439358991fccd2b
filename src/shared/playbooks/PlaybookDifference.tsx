import type { PlaybookContent } from '#contract/playbooks/schema.ts'
import { useText } from '#src/kit/useText.ts'

interface Props {
  before: PlaybookContent
  after: PlaybookContent
}

/** What changed between two versions of a playbook. */
export function PlaybookDifference({ before, after }: Props) {
  const text = useText()
  return <p>{JSON.stringify(before) === JSON.stringify(after) && text('playbookDialogs.noDifferences')}</p>
}
