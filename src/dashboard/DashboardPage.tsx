import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import { type ReactNode, Suspense, useDeferredValue } from 'react'

import { dashboardApi } from '#contract/dashboard/api.ts'
import type { Dashboard } from '#contract/dashboard/schema.ts'
import { followUpsAccess } from '#contract/follow-ups/access.ts'
import { incidentsAccess } from '#contract/incidents/access.ts'
import { readinessAccess } from '#contract/readiness/access.ts'
import { loadMessages } from '#providers/i18nProvider.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { useText } from '#src/kit/useText.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'

import { Actions } from './Actions.tsx'
import { PeopleTile } from './PeopleTile.tsx'
import { useDashboard } from './queries.ts'
import { stateOf, StateBanner } from './StateBanner.tsx'
import { TimeTile } from './TimeTile.tsx'

const tiles = { display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }

// Loaded after the page, together with the messages and the check-in code that it needs.
const AskedOfMe = lazy(async () => {
  const [{ AskedOfMe: part }] = await Promise.all([import('./AskedOfMe.tsx'), loadMessages()])
  return { default: part }
})

// Loaded after the page, as its lists are.
const MyFollowUps = lazy(async () => {
  const [{ MyFollowUps: part }] = await Promise.all([
    import('#src/incidents/follow-ups/MyFollowUps.tsx'),
    loadMessages(),
  ])
  return { default: part }
})

// Loaded after the page, as its counts are.
const ReadinessTile = lazy(async () => {
  const [{ ReadinessTile: part }] = await Promise.all([
    import('#src/readiness/ReadinessTile.tsx'),
    loadMessages(),
  ])
  return { default: part }
})

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
  const can = useCan()
  const isCalm = stateOf(dashboard).count === 0
  return (
    <>
      <StateBanner dashboard={dashboard} />
      {can(isCalm ? incidentsAccess.write : dashboardApi.asked.access) && (
        <Suspense fallback={<Skeleton variant="rounded" height={119} />}>
          <AskedOfMe isCalm={isCalm} />
        </Suspense>
      )}
      {can(followUpsAccess.read) && (
        <Suspense>
          <MyFollowUps heading="h2" />
        </Suspense>
      )}
      <Box sx={tiles}>
        <TimeTile dashboard={dashboard} />
        <PeopleTile dashboard={dashboard} />
      </Box>
      {can(readinessAccess) && (
        <Suspense fallback={<Skeleton variant="rounded" height={96} />}>
          <ReadinessTile />
        </Suspense>
      )}
      <Actions dashboard={dashboard} />
    </>
  )
}

/** The organisation's current state, and the actions on it. */
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
