import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import type { Request } from '#contract/kit/endpoint.ts'
import { notificationApprovalsApi } from '#contract/notification-approvals/api.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'

import { bodyOf, type Draft } from './queries.ts'

const KEY = ['mass-notifications', 'approvals'] as const
/** Seconds between polls while the live socket is down. */
const POLL_SECONDS = 60
/** Notifications that wait, on the overview. */
const SHOWN = 5

/** The newest notifications that wait for approval, and their number. */
export const useWaitingApprovals = () =>
  useQuery({
    queryKey: [...KEY, 'waiting'],
    queryFn: ({ signal }) => call(notificationApprovalsApi.list, { query: { size: SHOWN }, signal }),
    refetchInterval: useFallbackInterval(POLL_SECONDS),
  })

/** One notification that waits for approval, or was decided about. */
export const useApproval = (id: string) =>
  useQuery({
    queryKey: [...KEY, id],
    queryFn: ({ signal }) => call(notificationApprovalsApi.get, { params: { id }, signal }),
    refetchInterval: useFallbackInterval(POLL_SECONDS),
  })

/** A decision, after which all about notifications is fetched again. */
function useDecision<Input, Reply>(decide: (input: Input) => Promise<Reply>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: decide,
    networkMode: 'always',
    onSettled: () => client.invalidateQueries({ queryKey: ['mass-notifications'] }),
  })
}
export const useApprove = (id: string) =>
  useDecision<void, unknown>(() => call(notificationApprovalsApi.approve, { params: { id } }))
export const useRefuse = (id: string) =>
  useDecision((body: NonNullable<Request<typeof notificationApprovalsApi.refuse>['body']>) =>
    call(notificationApprovalsApi.refuse, { params: { id }, body }),
  )
export const useWithdraw = (id: string) =>
  useDecision<void, unknown>(() => call(notificationApprovalsApi.withdraw, { params: { id } }))

/** Asks for approval of a draft. A retry carries the same idempotency key, so that one request is made. */
export const useAskApproval = () =>
  useDecision((draft: Draft) => call(notificationApprovalsApi.request, { body: bodyOf(draft) }))
