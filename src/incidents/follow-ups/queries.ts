import {
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'

import { followUpsApi } from '#contract/follow-ups/api.ts'
import type { FollowUp, FollowUpList } from '#contract/follow-ups/schema.ts'
import type { Endpoint, Request } from '#contract/kit/endpoint.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'

/** Seconds between polls while the live socket is down. */
const POLL = 30
const SIZE = 20
// Live events of the noun renew everything below it.
const KEY: QueryKey = ['follow-ups']

type Body<E extends Endpoint> = Request<E> extends { readonly body: infer B } ? B : never
export type FollowUpBody = Body<typeof followUpsApi.create>
type ChangesBody = Body<typeof followUpsApi.update>

const nextOf = ({ total }: { readonly total: number }, pages: readonly unknown[]) =>
  pages.length * SIZE < total ? pages.length : undefined

/** The pages of a list of follow-ups across incidents. */
export const useFollowUps = (list: FollowUpList) =>
  useInfiniteQuery({
    queryKey: [...KEY, 'list', list],
    queryFn: ({ pageParam: page, signal }) =>
      call(followUpsApi.list, { query: { page: `${page}`, size: `${SIZE}`, list }, signal }),
    initialPageParam: 0,
    getNextPageParam: nextOf,
    placeholderData: keepPreviousData,
    refetchInterval: useFallbackInterval(POLL),
  })

/** The nearest follow-ups of the visitor, and the numbers of all. */
export const useNearest = (size: number) =>
  useQuery({
    queryKey: [...KEY, 'nearest', size],
    queryFn: ({ signal }) =>
      call(followUpsApi.list, { query: { page: '0', size: `${size}`, list: 'MINE' }, signal }),
    refetchInterval: useFallbackInterval(POLL),
  })

/** The pages of the follow-ups of an incident. */
export const useFollowUpsOf = (incidentId: string) =>
  useInfiniteQuery({
    queryKey: [...KEY, 'incident', incidentId],
    queryFn: ({ pageParam: page, signal }) =>
      call(followUpsApi.ofIncident, {
        params: { id: incidentId },
        query: { page: `${page}`, size: `${SIZE}` },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: nextOf,
    refetchInterval: useFallbackInterval(POLL),
  })

/** Acts on follow-ups; each shows all lists anew, also after a refusal. */
export function useFollowUpActs() {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: KEY })
  const add = useMutation({
    mutationFn: ({ incidentId, body }: { readonly incidentId: string; readonly body: FollowUpBody }) =>
      call(followUpsApi.create, { params: { id: incidentId }, body }),
    onSettled,
  })
  const change = useMutation({
    mutationFn: ({ id, body }: { readonly id: string; readonly body: ChangesBody }) =>
      call(followUpsApi.update, { params: { id }, body }),
    onSettled,
  })
  const finish = useMutation({
    mutationFn: ({
      followUp: { id, version },
      isDone,
    }: {
      readonly followUp: FollowUp
      readonly isDone: boolean
    }) => call(followUpsApi.finish, { params: { id }, body: { isDone, version } }),
    onSettled,
  })
  return { add, change, finish }
}
