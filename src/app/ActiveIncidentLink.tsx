import { Suspense } from 'react'

import { dashboardApi } from '#contract/dashboard/api.ts'
import { incidentsAccess } from '#contract/incidents/access.ts'
import { allows } from '#contract/kit/access.ts'
import { callerOf, useSession } from '#providers/session.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useDashboard } from '#src/dashboard/queries.ts'

import { IncidentLink, type IncidentLinkProps, NOTHING } from './IncidentLink.tsx'

// The list of incidents loads its schemas, which the dashboard does not need.
const ListedIncidentLink = lazy(async () => ({
  default: (await import('./ListedIncidentLink.tsx')).ListedIncidentLink,
}))

/** The incident or exercise in progress, on every page: from the dashboard's data, otherwise from the list of incidents. */
export function ActiveIncidentLink(props: IncidentLinkProps) {
  const caller = callerOf(useSession())
  if (allows(dashboardApi.get.access, caller)) return <DashboardIncidentLink {...props} />
  if (!allows(incidentsAccess.read, caller)) return null
  return (
    <Suspense>
      <ListedIncidentLink {...props} />
    </Suspense>
  )
}

function DashboardIncidentLink(props: IncidentLinkProps) {
  const { data } = useDashboard({ enabled: true })
  const inProgress = data && {
    first: data.activeIncident,
    incidents: data.incidentsCount,
    exercises: data.exercisesCount,
  }
  return <IncidentLink {...props} inProgress={inProgress ?? NOTHING} />
}
