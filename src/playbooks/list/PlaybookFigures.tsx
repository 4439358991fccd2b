import Box from '@mui/material/Box'

import type { PlaybookSummary } from '#contract/playbooks/schema.ts'
import { usePeople } from '#providers/people.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

/** Steps, owner, last change and use of a playbook, in a few words. */
export function PlaybookFigures({ playbook }: { playbook: PlaybookSummary }) {
  const text = useText()
  const { nameOf } = usePeople()
  const { tasksCount, owner, updateTimestamp, usesCount, lastUsedTimestamp } = playbook
  const steps = text('playbooks.steps', { smart_count: tasksCount })
  return (
    <Box
      component="span"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 2,
        fontSize: '0.8125rem',
        color: 'text.secondary',
        overflowWrap: 'anywhere',
      }}
    >
      <span>
        {steps}
        {owner !== null && (
          <>
            {' · '}
            <bdi>{nameOf(owner)}</bdi>
          </>
        )}
      </span>
      <span>
        {text('playbooks.changed')} <Time at={updateTimestamp} short day />
        {' · '}
        {lastUsedTimestamp === null ? (
          text('playbooks.neverUsed')
        ) : (
          <>
            {text('playbooks.usedTimes', { smart_count: usesCount })}{' '}
            <Time at={lastUsedTimestamp} short day />
          </>
        )}
      </span>
    </Box>
  )
}
