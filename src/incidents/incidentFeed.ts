import { infiniteQueryOptions } from '@tanstack/react-query'

import { incidentsApi } from '#contract/incidents/api.ts'
import { FEED_PAGE_SIZE, type Severity } from '#contract/incidents/schema.ts'
import { call } from '#providers/api.ts'
import { learning } from '#providers/people.ts'
import { serverNow } from '#providers/serverClock.ts'

/** Seconds between polls of the list while the live socket is down (foundation §4 "Polling"). */
export const POLL_INCIDENTS = 601

/** Choices for the age of incidents in the feed. */
export const FEED_SPANS = ['week', 'month', 'year'] as const
type FeedSpan = (typeof FEED_SPANS)[number]
const DAY_MS = 86_400_000
const DAYS: { readonly [S in FeedSpan]: number } = { week: 7, month: 30, year: 365 }

/** Filter of the feed; absent fields do not restrict it. */
export interface FeedFilter {
  readonly searchWord?: string | undefined
  readonly state?: 'active' | 'resolved' | undefined
  readonly severity?: Severity | undefined
  readonly kind?: 'incident' | 'exercise' | undefined
  /** One of the organisation's kinds. */
  readonly kindId?: string | undefined
  /** Values by the id of their field. */
  readonly fieldValues?: Readonly<Record<string, string>> | undefined
  /** Limits the time since the declaration. */
  readonly since?: FeedSpan | undefined
}

const queryOf = ({ searchWord, state, severity, kind, since, kindId, fieldValues }: FeedFilter) => ({
  activeFirst: 'true' as const,
  ...(searchWord && { searchWord }),
  ...(state && { isActive: state === 'active' ? ('true' as const) : ('false' as const) }),
  ...(severity && { severity }),
  ...(kind && { isTabletop: kind === 'exercise' ? ('true' as const) : ('false' as const) }),
  ...(kindId && { kindId }),
  ...(fieldValues && { fieldValues: JSON.stringify(fieldValues) }),
  ...(since && { createdFrom: new Date(serverNow() - DAYS[since] * DAY_MS).toISOString() }),
})

/**
 * Pages of incidents, active ones first, then the newest. The shell polls the unfiltered feed on every page
 * while the socket is down.
 */
export const incidentFeed = (filter: FeedFilter = {}) =>
  infiniteQueryOptions({
    queryKey: ['incidents', 'list', 'feed', filter],
    queryFn: ({ pageParam, signal }) =>
      learning(
        call(incidentsApi.list, {
          query: { page: pageParam, size: FEED_PAGE_SIZE, ...queryOf(filter) },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ page, size, total }) => ((page + 1) * size < total ? page + 1 : undefined),
  })
