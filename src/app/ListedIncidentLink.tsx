import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { incidentsApi } from '#contract/incidents/api.ts'
import type { ReplyOf } from '#contract/kit/endpoint.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'
import { incidentFeed, POLL_INCIDENTS } from '#src/shared/incidentFeed.ts'

import { type ActiveIncident, IncidentLink, type IncidentLinkProps } from './IncidentLink.tsx'

type Page = ReplyOf<typeof incidentsApi.list>
const activeOf = ({ data }: Page): readonly ActiveIncident[] =>
  data.filter(({ isActive }) => isActive).sort((a, b) => Number(a.isTabletop) - Number(b.isTabletop))
const activeAmong = ({ pages }: InfiniteData<Page>): readonly ActiveIncident[] =>
  activeOf({ ...pages[0]!, data: pages.flatMap(({ data }) => data) })

/** The incident or exercise in progress, for people who see the list of incidents but no dashboard. */
export function ListedIncidentLink(props: IncidentLinkProps) {
  const feed = useInfiniteQuery({ ...incidentFeed(''), select: activeAmong })
  // An old one can still be in progress behind many that are newer.
  const beyond = feed.hasNextPage
  const listed = useQuery({
    queryKey: ['incidents', 'list', 'active'],
    queryFn: ({ signal }) => call(incidentsApi.list, { query: { isActive: 'true', size: 100 }, signal }),
    select: activeOf,
    refetchInterval: useFallbackInterval(POLL_INCIDENTS),
    enabled: beyond,
  })
  const active = beyond ? (listed.data ?? feed.data) : feed.data
  return <IncidentLink {...props} incidents={active ?? []} />
}
