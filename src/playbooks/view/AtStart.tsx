import Box from '@mui/material/Box'

import { startActsOf } from '#contract/playbooks/rules.ts'
import type { OpenedPlaybook } from '#contract/playbooks/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { useProposalWords } from '../useProposalWords.ts'
import { useStartWords } from '../useStartWords.ts'
import { Part } from './Part.tsx'

/** The incidents for which the playbook is proposed, and its acts at their start. */
export function AtStart({ playbook: { start, proposal } }: { playbook: OpenedPlaybook }) {
  const text = useText()
  const wordsOf = useStartWords(start)
  const proposed = useProposalWords(proposal)
  return (
    <Part title={text('playbooks.atStart')}>
      <Box component="ul" sx={{ display: 'grid', gap: 0.5, m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
        {proposed && <li dir="auto">{proposed}</li>}
        {startActsOf(start).map((act) => (
          <li key={act} dir="auto">
            {wordsOf(act)}
          </li>
        ))}
      </Box>
    </Part>
  )
}
