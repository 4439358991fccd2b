import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import { type ReactNode, useDeferredValue } from 'react'

import type { Dashboard } from '#contract/dashboard/schema.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { useText } from '#src/kit/useText.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'

import { Actions } from './Actions.tsx'
import { PeopleTile } from './PeopleTile.tsx'
import { useDashboard } from './queries.ts'
import { StateBanner } from './StateBanner.tsx'
import { TimeTile } from './TimeTile.tsx'

const tiles = { display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }

function Loading() {
  const text = useText()
  return (
    <Box component="output" aria-label={text('kit.loading')} sx={{ display: 'grid', gap: 2 }}>
      <Skeleton variant="rounded" height={138} />
      <Box sx={tiles}>
        <Skeleton variant="rounded" height={119} />
        <Skeleton variant="rounded" height={119} />
      </Box>
    </Box>
  )
}

function State({ dashboard }: { dashboard: Dashboard }) {
  return (
    <>
      <StateBanner dashboard={dashboard} />
      <Box sx={tiles}>
        <TimeTile dashboard={dashboard} />
        <PeopleTile dashboard={dashboard} />
      </Box>
      <Actions dashboard={dashboard} />
    </>
  )
}

/** The organisation's current state, and what can be done about it. */
export function DashboardPage() {
  const text = useText()
  const { data: latest, error, refetch } = useDashboard()
  const data = useDeferredValue(latest, undefined)
  let content: ReactNode = <Loading />
  if (data) content = <State dashboard={data} />
  else if (error) content = <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <Box sx={{ display: 'grid', gap: 2, maxWidth: 1440, mx: 'auto', p: { xs: 2, md: 3 } }}>
      <Box component="h1" sx={visuallyHidden}>
        {text('dashboard.title')}
      </Box>
      {content}
    </Box>
  )
}
