import { useInfiniteQuery } from '@tanstack/react-query'

import { incidentsApi } from '#contract/incidents/api.ts'
import { massNotificationsApi } from '#contract/mass-notifications/api.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'

/** Rows shown at first, and added by "more". */
const FIRST = 5
const MORE = 50
/** Seconds between polls while the live socket is down. */
const POLL_SECONDS = 10

interface Page {
  readonly data: readonly unknown[]
  readonly total: number
}
const sizeOf = (offset: number) => (offset === 0 ? FIRST : MORE)
const nextOf = (last: Page, pages: readonly Page[]): number | undefined => {
  const loaded = pages.reduce((count, { data }) => count + data.length, 0)
  return last.data.length > 0 && loaded < last.total ? loaded : undefined
}

/** The people of an incident who call for help, the longest waiting first. */
export const useHelpCalls = (id: string) =>
  useInfiniteQuery({
    queryKey: ['team-status', id, 'help'],
    queryFn: ({ pageParam: offset, signal }) =>
      call(incidentsApi.help, { params: { id }, query: { offset, size: sizeOf(offset) }, signal }),
    initialPageParam: 0,
    getNextPageParam: nextOf,
    refetchInterval: useFallbackInterval(POLL_SECONDS),
  })

/** The notifications about an incident with the answers so far, newest first. */
export const useIncidentNotifications = (id: string) =>
  useInfiniteQuery({
    queryKey: ['incident-notifications', id],
    queryFn: ({ pageParam: offset, signal }) =>
      call(massNotificationsApi.aboutIncident, {
        params: { id },
        query: { offset, size: offset === 0 ? FIRST : 20 },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: nextOf,
    refetchInterval: useFallbackInterval(POLL_SECONDS),
  })
