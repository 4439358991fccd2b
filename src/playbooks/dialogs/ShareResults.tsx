import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded'
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded'
import ScheduleRounded from '@mui/icons-material/ScheduleRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useMemo, useState } from 'react'

import type { ShareResult } from '#contract/playbook-shares/schema.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { useText } from '#src/kit/useText.ts'

/** Results shown at first, and added by "more". */
const AT_ONCE = 100
const ORDER = { FAILED: 0, WAITING: 1, SHARED: 2 }
const STYLES = {
  FAILED: { icon: ErrorOutlineRounded, tone: 'error' },
  WAITING: { icon: ScheduleRounded, tone: 'neutral' },
  SHARED: { icon: CheckCircleOutlineRounded, tone: 'success' },
} as const

/** The result of each playbook at each organisation, failures first. */
export function ShareResults({ results }: { results: readonly ShareResult[] }) {
  const text = useText()
  const [shown, setShown] = useState(AT_ONCE)
  const sorted = useMemo(() => results.toSorted((a, b) => ORDER[a.outcome] - ORDER[b.outcome]), [results])
  const hidden = sorted.length - shown
  return (
    <>
      <Box
        component="ul"
        aria-label={text('playbookDialogs.results')}
        sx={{ m: 0, p: 0, listStyle: 'none', '& > li + li': { borderTop: 1, borderColor: 'divider' } }}
      >
        {sorted.slice(0, shown).map((one) => (
          <Box
            component="li"
            key={`${one.playbookId} ${one.enterpriseId}`}
            sx={{ display: 'grid', gridTemplateColumns: '104px minmax(0, 1fr)', gap: 1.5, py: 1 }}
          >
            <span>
              <StatusChip
                icon={STYLES[one.outcome].icon}
                tone={STYLES[one.outcome].tone}
                label={text(`playbookDialogs.outcomes.${one.outcome}`)}
              />
            </span>
            <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              <bdi>{one.playbookName}</bdi> → <bdi>{one.enterpriseName}</bdi>
              {one.message !== null && <Box sx={{ color: 'text.secondary' }}>{one.message}</Box>}
            </Box>
          </Box>
        ))}
      </Box>
      {hidden > 0 && (
        <Button sx={{ justifySelf: 'start' }} onClick={() => setShown(shown + AT_ONCE)}>
          {text('playbookDialogs.showMore', { count: Math.min(hidden, AT_ONCE), hidden })}
        </Button>
      )}
    </>
  )
}
