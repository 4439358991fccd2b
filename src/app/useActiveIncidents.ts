import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { dashboardApi } from '#contract/dashboard/api.ts'
import { incidentsApi } from '#contract/incidents/api.ts'
import type { Answer } from '#contract/kit/endpoint.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'
import { useCan } from '#providers/useCan.ts'
import { useDashboard } from '#src/dashboard/queries.ts'
import { incidentFeed, POLL_INCIDENTS } from '#src/shared/incidentFeed.ts'

/** What the header says of an incident or exercise that is in progress. */
export interface Active {
  readonly id: string
  readonly title: string
  readonly isTabletop: boolean
}

type Page = Answer<typeof incidentsApi.list>
const activeOf = ({ data }: Page): readonly Active[] =>
  data.filter(({ isActive }) => isActive).sort((a, b) => Number(a.isTabletop) - Number(b.isTabletop))
const activeAmong = ({ pages }: InfiniteData<Page>): readonly Active[] =>
  activeOf({ ...pages[0]!, data: pages.flatMap(({ data }) => data) })

/** What is in progress, incidents first, as far as this person may know. */
export function useActiveIncidents(): readonly Active[] {
  const can = useCan()
  const onDashboard = can(dashboardApi.get.access)
  const dashboard = useDashboard({ enabled: onDashboard })
  const onList = !onDashboard && can(incidentsApi.list.access)
  const feed = useInfiniteQuery({ ...incidentFeed(''), select: activeAmong, enabled: onList })
  // An old one can still be in progress behind many that are newer.
  const beyond = onList && feed.hasNextPage
  const listed = useQuery({
    queryKey: ['incidents', 'list', 'active'],
    queryFn: ({ signal }) => call(incidentsApi.list, { query: { isActive: 'true', size: 100 }, signal }),
    select: activeOf,
    refetchInterval: useFallbackInterval(POLL_INCIDENTS),
    enabled: beyond,
  })
  const seen = beyond ? (listed.data ?? feed.data) : feed.data
  return (onDashboard ? dashboard.data?.activeIncidents : seen) ?? []
}
