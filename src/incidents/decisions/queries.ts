import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'

import { incidentDecisionsApi } from '#contract/incident-decisions/api.ts'
import type { Endpoint, Request } from '#contract/kit/endpoint.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'

/** Seconds between polls while the live socket is down. */
const POLL = 10
const SIZE = 20

const keyOf = (incidentId: string) => ['incidents', incidentId, 'decisions'] as const
type Body<E extends Endpoint> = Request<E> extends { readonly body: infer B } ? B : never
export type DecisionBody = Body<typeof incidentDecisionsApi.propose>
type ChangesBody = Body<typeof incidentDecisionsApi.update>
type ConfirmBody = Body<typeof incidentDecisionsApi.confirm>

/** Pages of the decisions of an incident, newest first. */
export function useDecisions(incidentId: string) {
  const refetchInterval = useFallbackInterval(POLL)
  return useInfiniteQuery({
    queryKey: keyOf(incidentId),
    queryFn: ({ pageParam: page, signal }) =>
      call(incidentDecisionsApi.list, {
        params: { id: incidentId },
        query: { page: String(page), size: String(SIZE) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * SIZE < total ? pages.length : undefined),
    refetchInterval,
  })
}

/** Acts on decisions; each shows decisions and timeline anew. */
export function useDecisionActs(incidentId: string) {
  const client = useQueryClient()
  const onSuccess = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: keyOf(incidentId) }),
      client.invalidateQueries({ queryKey: ['incidents', incidentId, 'timeline'] }),
    ])
  const propose = useMutation({
    mutationFn: (body: DecisionBody) =>
      call(incidentDecisionsApi.propose, { params: { id: incidentId }, body }),
    onSuccess,
  })
  const change = useMutation({
    mutationFn: ({ id, body }: { readonly id: string; readonly body: ChangesBody }) =>
      call(incidentDecisionsApi.update, { params: { id }, body }),
    onSuccess,
  })
  const confirm = useMutation({
    mutationFn: ({ id, body }: { readonly id: string; readonly body: ConfirmBody }) =>
      call(incidentDecisionsApi.confirm, { params: { id }, body }),
    onSuccess,
  })
  return { propose, change, confirm }
}
