import {
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'

import type { Request } from '#contract/kit/endpoint.ts'
import { massNotificationsApi } from '#contract/mass-notifications/api.ts'
import { readinessApi } from '#contract/readiness/api.ts'
import type { Activations, Gap, Reach } from '#contract/readiness/schema.ts'
import { call } from '#providers/api.ts'

export const KEY = ['readiness'] as const
const MINUTE = 60_000
/** Rows that one press loads. */
export const PAGE = 25

/** The counts of the board, at most five minutes old where another page asked for them. */
export const useBoard = () =>
  useQuery({
    queryKey: [...KEY, 'board'],
    queryFn: ({ signal }) => call(readinessApi.board, { signal }),
    staleTime: 5 * MINUTE,
  })

/** Pages of a list. */
function usePages<Row>(
  queryKey: QueryKey,
  load: (range: string, signal: AbortSignal) => Promise<readonly Row[]>,
) {
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(JSON.stringify([pageParam, pageParam + PAGE - 1]), signal),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < PAGE ? undefined : all.length * PAGE),
    placeholderData: keepPreviousData,
  })
  return { ...pages, rows: pages.data?.pages.flat() }
}

export const useGroups = (q: string) =>
  usePages([...KEY, 'groups', q], (range, signal) =>
    call(readinessApi.groups, { query: { range, filter: JSON.stringify(q ? { q } : {}) }, signal }),
  )

/** People of a list: those who lack something, or members by how they are reached. */
export interface PeopleFilter {
  readonly gap?: Gap
  readonly reach?: Reach
  readonly groupId?: string
}
export const usePeopleOf = (filter: PeopleFilter, q: string) =>
  usePages([...KEY, 'people', filter, q], (range, signal) =>
    call(readinessApi.people, {
      query: { range, filter: JSON.stringify({ ...filter, ...(q && { q }) }) },
      signal,
    }),
  )

/** The newest communication tests, looked at again while somebody may answer. */
export const useTests = () =>
  useQuery({
    queryKey: [...KEY, 'tests'],
    queryFn: ({ signal }) => call(readinessApi.tests, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ isOpen, state }) => isOpen || state === 'WAITING') ? MINUTE / 4 : false,
  })

export const useTestGroups = (id: string) =>
  usePages([...KEY, 'tests', id, 'groups'], (range, signal) =>
    call(readinessApi.testGroups, { params: { id }, query: { range }, signal }),
  )

export const usePlan = () =>
  useQuery({
    queryKey: [...KEY, 'plan'],
    queryFn: ({ signal }) => call(readinessApi.plan, { signal }),
  })

/** Channels of this installation, and the remaining quota. */
export const useChannels = (enabled: boolean) =>
  useQuery({
    queryKey: ['mass-notifications', 'quota'],
    queryFn: ({ signal }) => call(massNotificationsApi.dashboard, { signal }),
    enabled,
  })

/** An act, after which the board is fetched again. A retry carries the same idempotency key. */
function useAct<Input, Reply>(act: (input: Input) => Promise<Reply>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    networkMode: 'always',
    onSettled: () => {
      void client.invalidateQueries({ queryKey: KEY })
      void client.invalidateQueries({ queryKey: ['mass-notifications'] })
    },
  })
}
export const useStartTest = () =>
  useAct((body: NonNullable<Request<typeof readinessApi.start>['body']>) =>
    call(readinessApi.start, { body }),
  )
export const useSetPlan = () =>
  useAct((body: NonNullable<Request<typeof readinessApi.setPlan>['body']>) =>
    call(readinessApi.setPlan, { body }),
  )
/** Sends activation emails to everybody who waits for one, call by call. */
export const useActivate = () =>
  useAct<void, Pick<Activations, 'sent' | 'refused'>>(async () => {
    const rest = async (after: string | null): Promise<Pick<Activations, 'sent' | 'refused'>> => {
      const { sent, refused, next }: Activations = await call(readinessApi.activate, { body: { after } })
      if (next === null) return { sent, refused }
      const others = await rest(next)
      return { sent: sent + others.sent, refused: refused + others.refused }
    }
    return rest(null)
  })
