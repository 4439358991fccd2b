import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'

import { incidentTimelineApi } from '#contract/incident-timeline/api.ts'
import type { EntryChanges, NewEntry, TimelineKind } from '#contract/incident-timeline/schema.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'

/** Seconds between polls while the live socket is down. */
const POLL = 10
/** Rows of the first page, and of those added by "earlier". */
const FIRST = '50'
const MORE = '100'

export interface TimelineFilter {
  readonly kinds: readonly TimelineKind[]
  readonly person: string | null
}

// Below the incident, so that its events invalidate them.
const keyOf = (incidentId: string) => ['incidents', incidentId, 'timeline'] as const

/** Pages of a timeline, newest first. */
export function useTimeline(incidentId: string, { kinds, person }: TimelineFilter) {
  const refetchInterval = useFallbackInterval(POLL)
  return useInfiniteQuery({
    queryKey: [...keyOf(incidentId), 'pages', { kinds, person }],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(incidentTimelineApi.list, {
        params: { id: incidentId },
        query: {
          size: cursor === '' ? FIRST : MORE,
          ...(kinds.length > 0 && { kinds: kinds.join(',') }),
          ...(person !== null && { person }),
          ...(cursor !== '' && { cursor }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval,
  })
}

/** Kinds and people of a timeline with the numbers of their acts. */
export const useTimelineFilters = (incidentId: string, person: string | null) =>
  useQuery({
    queryKey: [...keyOf(incidentId), 'filters', { person }],
    queryFn: ({ signal }) =>
      call(incidentTimelineApi.filters, {
        params: { id: incidentId },
        query: person === null ? {} : { person },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** Former states of an entry, newest first. */
export const useEntryHistory = (incidentId: string, id: string) =>
  useQuery({
    queryKey: [...keyOf(incidentId), 'history', id],
    queryFn: ({ signal }) => call(incidentTimelineApi.history, { params: { id }, signal }),
  })

/** Acts on entries; each shows the timeline anew. */
export function useEntryActs(incidentId: string) {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: keyOf(incidentId) })
  const add = useMutation({
    mutationFn: (body: NewEntry) => call(incidentTimelineApi.add, { params: { id: incidentId }, body }),
    onSuccess,
  })
  const change = useMutation({
    mutationFn: ({ id, ...body }: EntryChanges & { readonly id: string }) =>
      call(incidentTimelineApi.update, { params: { id }, body }),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (id: string) => call(incidentTimelineApi.remove, { params: { id } }),
    onSuccess,
  })
  return { add, change, remove }
}
