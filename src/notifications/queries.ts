import { useQuery } from '@tanstack/react-query'

import { notificationsApi } from '#contract/notifications/api.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'

/** Seconds between polls while the live socket is down (foundation §4 "Polling"). */
const POLL_SECONDS = 61
export const NOTIFICATIONS_KEY = ['notifications']

export function useNotifications() {
  return useQuery({
    queryKey: NOTIFICATIONS_KEY,
    queryFn: ({ signal }) => call(notificationsApi.list, { signal }),
    refetchInterval: useFallbackInterval(POLL_SECONDS),
  })
}
