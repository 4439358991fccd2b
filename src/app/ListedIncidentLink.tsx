import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { incidentsApi } from '#contract/incidents/api.ts'
import { SEVERITY_ORDER } from '#contract/incidents/rules.ts'
import type { ReplyOf } from '#contract/kit/endpoint.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'
import { incidentFeed, POLL_INCIDENTS } from '#src/incidents/incidentFeed.ts'

import { IncidentLink, type IncidentLinkProps, type InProgress, NOTHING } from './IncidentLink.tsx'

type Page = ReplyOf<typeof incidentsApi.list>
/** Active incidents before exercises, the gravest first, then the newest. */
function activeOf({ data }: Pick<Page, 'data'>): InProgress {
  const active = data
    .filter(({ isActive }) => isActive)
    .toSorted(
      (a, b) =>
        Number(a.isTabletop) - Number(b.isTabletop) ||
        SEVERITY_ORDER[b.severity] - SEVERITY_ORDER[a.severity] ||
        b.createTimestamp.localeCompare(a.createTimestamp),
    )
  const exercises = active.filter(({ isTabletop }) => isTabletop).length
  return { first: active[0] ?? null, incidents: active.length - exercises, exercises }
}
const activeAmong = ({ pages }: InfiniteData<Page>): InProgress =>
  activeOf({ data: pages.flatMap(({ data }) => data) })

/** The incident or exercise in progress, for people who see the list of incidents but no dashboard. */
export function ListedIncidentLink(props: IncidentLinkProps) {
  const feed = useInfiniteQuery({ ...incidentFeed(), select: activeAmong })
  // An active incident can be older than the first page of the feed.
  const beyond = feed.hasNextPage
  const listed = useQuery({
    queryKey: ['incidents', 'list', 'active'],
    queryFn: ({ signal }) => call(incidentsApi.list, { query: { isActive: 'true', size: 100 }, signal }),
    select: activeOf,
    refetchInterval: useFallbackInterval(POLL_INCIDENTS),
    enabled: beyond,
  })
  const active = beyond ? (listed.data ?? feed.data) : feed.data
  return <IncidentLink {...props} inProgress={active ?? NOTHING} />
}
