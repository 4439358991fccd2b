import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { webhooksApi } from '#contract/webhooks/api.ts'
import { call } from '#providers/api.ts'
import { SECOND } from '#src/kit/time/clock.ts'

export const PAGE = 10

/** A page of the deliveries of a webhook. */
export const useDeliveries = (id: string, page: number) =>
  useQuery({
    queryKey: ['webhooks', id, page],
    queryFn: ({ signal }) =>
      call(webhooksApi.deliveries, {
        params: { id },
        query: { offset: (page - 1) * PAGE, size: PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
    // Attempts are no events of the live socket.
    refetchInterval: 5 * SECOND,
  })

/** Sends a test, or a delivery again, and asks for the deliveries anew. */
export function useSending(id: string) {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: ['webhooks', id] })
  const test = useMutation({ mutationFn: () => call(webhooksApi.test, { params: { id } }), onSettled })
  const resend = useMutation({
    mutationFn: (deliveryId: string) => call(webhooksApi.resend, { params: { id, deliveryId } }),
    onSettled,
  })
  return { test, resend }
}
