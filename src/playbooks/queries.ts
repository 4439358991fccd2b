import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo } from 'react'

import type { Endpoint, Request } from '#contract/kit/endpoint.ts'
import { playbookCategoriesApi } from '#contract/playbook-categories/api.ts'
import { playbooksApi } from '#contract/playbooks/api.ts'
import { EDITING_HEARTBEAT, type OpenedPlaybook, type PlaybookSummary } from '#contract/playbooks/schema.ts'
import { call } from '#providers/api.ts'
import { live, useFallbackInterval } from '#providers/live.ts'
import { learning } from '#providers/people.ts'
import { requestSlice } from '#providers/slice.ts'
import { useConfig } from '#src/config/useConfig.ts'

/** Rows per page of a list. */
export const PLAYBOOKS_PER_PAGE = 30
/** Seconds between polls while the live socket is down. */
const FALLBACK_SECONDS = 60

const PLAYBOOKS: QueryKey = ['playbooks']
const CATEGORIES: QueryKey = ['playbook-categories']
const keyOf = (id: string): QueryKey => [...PLAYBOOKS, id]

/** Filter of a list; null as category means Uncategorized. */
export interface PlaybookFilter {
  readonly q?: string
  readonly categoryId?: string | null
  readonly reviewDue?: boolean
}

/** Refetches lists and playbooks after a change, unless the live socket announces it. */
async function refresh(client: QueryClient): Promise<void> {
  if (live.status() === 'open') return
  await Promise.all([PLAYBOOKS, CATEGORIES].map((queryKey) => client.invalidateQueries({ queryKey })))
}

/** Pages of playbooks by name. */
export function usePlaybookList(filter: PlaybookFilter, enabled = true) {
  const query = useInfiniteQuery({
    queryKey: [...PLAYBOOKS, 'list', filter],
    queryFn: ({ pageParam: first, signal }) =>
      requestSlice<PlaybookSummary>(playbooksApi.list, {
        first,
        count: PLAYBOOKS_PER_PAGE,
        filter: { ...filter },
        sort: ['name', 'ASC'],
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ items, total }, pages) => {
      const loaded = pages.reduce((count, page) => count + page.items.length, 0)
      return items.length > 0 && loaded < total ? loaded : undefined
    },
    placeholderData: keepPreviousData,
    refetchInterval: useFallbackInterval(FALLBACK_SECONDS),
    enabled,
  })
  const { data } = query
  const rows = useMemo(() => {
    const all = data?.pages.flatMap(({ items }) => items)
    // De-duplicates: a playbook renamed between two requests is on both pages.
    return all && [...new Map(all.map((row) => [row.id, row])).values()]
  }, [data])
  return { ...query, rows, total: data?.pages.at(-1)?.total }
}

/** Number of playbooks that match a filter. */
export const usePlaybookCount = (filter: PlaybookFilter, enabled = true) =>
  useQuery({
    queryKey: [...PLAYBOOKS, 'count', filter],
    queryFn: async ({ signal }) =>
      (await requestSlice(playbooksApi.list, { first: 0, count: 1, filter: { ...filter }, signal })).total,
    refetchInterval: useFallbackInterval(FALLBACK_SECONDS),
    enabled,
  })

/** Number and limit of playbooks. Unlimited until known; the server enforces it. */
export function useCapacity() {
  const { data: count } = usePlaybookCount({})
  const max = useConfig()?.playbookMaxTemplates
  return { count, max, isFull: count !== undefined && max !== undefined && count >= max }
}

/** One playbook with its headings and tasks. */
export const usePlaybook = (id: string) =>
  useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => learning(call(playbooksApi.get, { params: { id }, signal })),
    refetchInterval: useFallbackInterval(FALLBACK_SECONDS),
  })

type Body<E extends Endpoint> = NonNullable<Request<E>['body']>
export type PlaybookBody = Body<typeof playbooksApi.create>

/** Replaces the cached playbook by the saved one. */
function useShowSaved() {
  const client = useQueryClient()
  return async (saved: OpenedPlaybook) => {
    await client.cancelQueries({ queryKey: keyOf(saved.id), exact: true })
    client.setQueryData(keyOf(saved.id), saved)
    void refresh(client)
  }
}

export function useCreatePlaybook() {
  const show = useShowSaved()
  return useMutation({
    mutationFn: (body: PlaybookBody) => learning(call(playbooksApi.create, { body })),
    onSuccess: show,
  })
}

export function useUpdatePlaybook() {
  const show = useShowSaved()
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: Body<typeof playbooksApi.update> }) =>
      learning(call(playbooksApi.update, { params: { id }, body })),
    onSuccess: show,
  })
}

export function useRemovePlaybook() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(playbooksApi.remove, { params: { id } }),
    onSuccess: (_, id) => {
      client.removeQueries({ queryKey: keyOf(id) })
      void refresh(client)
    },
  })
}

export function useRemoveCategory() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(playbookCategoriesApi.remove, { params: { id } }),
    onSuccess: () => void refresh(client),
  })
}

/** Reports by a heartbeat that the playbook is open in an editor. Returns its other editors. */
export const useOtherEditors = (id: string, editorId: string) =>
  useQuery({
    queryKey: ['playbook-editors', id, editorId],
    queryFn: async ({ signal }) =>
      (await call(playbooksApi.editing, { params: { id, editorId }, signal })).editors,
    refetchInterval: EDITING_HEARTBEAT,
    // An editor in a background tab is still open.
    refetchIntervalInBackground: true,
    gcTime: 0,
  })

/** Reports a closed editor. If the call fails, the heartbeat's absence tells the server. */
export const sayDoneEditing = (id: string, editorId: string): void =>
  void call(playbooksApi.doneEditing, { params: { id, editorId } }).catch(() => undefined)
