import { useQuery } from '@tanstack/react-query'

import { dashboardApi } from '#contract/dashboard/api.ts'
import { incidentsApi } from '#contract/incidents/api.ts'
import { allows } from '#contract/kit/access.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'
import { callerOf, useSession } from '#providers/session.ts'
import { useDashboard } from '#src/dashboard/queries.ts'

/** What the header says of an incident or exercise that is in progress. */
export interface Active {
  readonly id: string
  readonly title: string
  readonly isTabletop: boolean
}

/** What is in progress, incidents first, as far as this person may know. */
export function useActiveIncidents(): readonly Active[] {
  const caller = callerOf(useSession())
  const onDashboard = allows(dashboardApi.get.access, caller)
  const interval = useFallbackInterval(61)
  const dashboard = useDashboard({ enabled: onDashboard })
  const listed = useQuery({
    queryKey: ['incidents', 'list', 'active'],
    queryFn: async ({ signal }) => {
      const { data } = await call(incidentsApi.list, { signal })
      return data
        .filter(({ isActive }) => isActive)
        .sort((a, b) => Number(a.isTabletop) - Number(b.isTabletop))
    },
    refetchInterval: interval,
    enabled: !onDashboard && allows(incidentsApi.list.access, caller),
  })
  return (onDashboard ? dashboard.data?.activeIncidents : listed.data) ?? []
}
