import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { massNotificationsApi } from '#contract/mass-notifications/api.ts'
import { call } from '#providers/api.ts'

/** Milliseconds between polls while something comes next: a hint may be lost with the connection. */
const POLL_MS = 30_000

/** The escalation of a notification. Answers change the number of people who are asked next. */
export const useEscalation = (id: string) =>
  useQuery({
    queryKey: ['mass-notifications', 'history', id, 'escalation'],
    queryFn: ({ signal }) => call(massNotificationsApi.escalation, { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.next ? POLL_MS : false),
  })

export function useStopEscalation(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(massNotificationsApi.stopEscalation, { params: { id } }),
    networkMode: 'always',
    onSettled: () => client.invalidateQueries({ queryKey: ['mass-notifications', 'history', id] }),
  })
}
