import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { notificationsApi } from '#contract/notifications/api.ts'
import type { Notifications } from '#contract/notifications/schema.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'

/** Seconds between two questions while the live socket is down (foundation §4 "Polling"). */
const POLL_SECONDS = 61
const KEY = ['notifications']

/** The signed-in person's notifications. */
export function useNotifications() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(notificationsApi.list, { signal }),
    refetchInterval: useFallbackInterval(POLL_SECONDS),
  })
}

const asRead = (known: Notifications, id: string | null): Notifications => {
  const data = known.data.map((one) => (id === null || one.id === id ? { ...one, hasBeenRead: true } : one))
  const before = known.data.filter(({ hasBeenRead }) => !hasBeenRead).length
  const after = data.filter(({ hasBeenRead }) => !hasBeenRead).length
  return { data, unreadCount: id === null ? 0 : known.unreadCount - (before - after) }
}

/** Marks one notification as read, or all of them for null. What is shown changes at once, and back if it fails. */
export function useRead(onFailed: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string | null) =>
      id === null ? call(notificationsApi.readAll) : call(notificationsApi.read, { params: { id } }),
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey: KEY })
      client.setQueryData<Notifications>(KEY, (known) => known && asRead(known, id))
    },
    onError: onFailed,
    onSettled: () => void client.invalidateQueries({ queryKey: KEY }),
  })
}
