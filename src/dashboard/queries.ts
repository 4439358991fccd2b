import { useQuery } from '@tanstack/react-query'

import { dashboardApi } from '#contract/dashboard/api.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'
import { setServerNow } from '#providers/serverClock.ts'

/** Seconds between polls while the live socket is down (foundation §4 "Polling"). */
const POLL_SECONDS = 61

const ASKED = ['dashboard', 'asked']

/** The organisation's current state, fetched again on live events. */
export function useDashboard({ enabled = true } = {}) {
  return useQuery({
    queryKey: ['dashboard'],
    queryFn: async ({ signal }) => {
      const dashboard = await call(dashboardApi.get, { signal })
      setServerNow(dashboard.timestamp)
      return dashboard
    },
    refetchInterval: useFallbackInterval(POLL_SECONDS),
    enabled,
  })
}

/** Requests to the visitor, fetched again on live events. */
export const useAsked = () =>
  useQuery({
    queryKey: ASKED,
    queryFn: ({ signal }) => call(dashboardApi.asked, { signal }),
    refetchInterval: useFallbackInterval(POLL_SECONDS),
  })
