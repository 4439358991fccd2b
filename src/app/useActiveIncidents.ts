import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'

import { dashboardApi } from '#contract/dashboard/api.ts'
import { incidentsApi } from '#contract/incidents/api.ts'
import { allows } from '#contract/kit/access.ts'
import type { Answer } from '#contract/kit/endpoint.ts'
import { callerOf, useSession } from '#providers/session.ts'
import { useDashboard } from '#src/dashboard/queries.ts'
import { incidentFeed } from '#src/shared/incidentFeed.ts'

/** What the header says of an incident or exercise that is in progress. */
export interface Active {
  readonly id: string
  readonly title: string
  readonly isTabletop: boolean
}

type Feed = InfiniteData<Answer<typeof incidentsApi.list>>
const activeOf = ({ pages }: Feed): readonly Active[] =>
  pages
    .flatMap(({ data }) => data)
    .filter(({ isActive }) => isActive)
    .sort((a, b) => Number(a.isTabletop) - Number(b.isTabletop))

/** What is in progress, incidents first, as far as this person may know. */
export function useActiveIncidents(): readonly Active[] {
  const caller = callerOf(useSession())
  const onDashboard = allows(dashboardApi.get.access, caller)
  const dashboard = useDashboard({ enabled: onDashboard })
  const listed = useInfiniteQuery({
    ...incidentFeed(''),
    select: activeOf,
    enabled: !onDashboard && allows(incidentsApi.list.access, caller),
  })
  return (onDashboard ? dashboard.data?.activeIncidents : listed.data) ?? []
}
