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
import { incidentPlaybooksApi } from '#contract/incident-playbooks/api.ts'
import type { TaskUse } from '#contract/incident-playbooks/schema.ts'
import { type PLAYBOOK_SORT_FIELDS, playbooksApi, type PlaybookSelection } from '#contract/playbooks/api.ts'
import {
  type BinnedPlaybook,
  EDITING_HEARTBEAT,
  type OpenedPlaybook,
  type PlaybookSummary,
} from '#contract/playbooks/schema.ts'
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
  readonly used?: boolean
  readonly selection?: PlaybookSelection
}
/** Order of a list. */
export type PlaybookSort = readonly [(typeof PLAYBOOK_SORT_FIELDS)[number], 'ASC' | 'DESC']
export const BY_NAME: PlaybookSort = ['name', 'ASC']
export const BY_LAST_USE: PlaybookSort = ['lastUsedTimestamp', 'DESC']
export const BY_LAST_CHANGE: PlaybookSort = ['updateTimestamp', 'DESC']
export const BY_REVIEW_DATE: PlaybookSort = ['reviewDate', 'ASC']

/** Refetches lists and playbooks after a change, unless the live socket announces it. */
async function refresh(client: QueryClient): Promise<void> {
  if (live.status() === 'open') return
  await Promise.all([PLAYBOOKS, CATEGORIES].map((queryKey) => client.invalidateQueries({ queryKey })))
}

/** Pages of playbooks, by name unless a sort is given. */
export function usePlaybookList(filter: PlaybookFilter, enabled = true, sort = BY_NAME) {
  const query = useInfiniteQuery({
    queryKey: [...PLAYBOOKS, 'list', filter, sort],
    queryFn: ({ pageParam: first, signal }) =>
      requestSlice<PlaybookSummary>(playbooksApi.list, {
        first,
        count: PLAYBOOKS_PER_PAGE,
        filter: { ...filter },
        sort,
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

/** Playbooks that a suggestion shows. */
const SUGGESTED = 5
/** The first few playbooks of a filter and an order. */
export const useFirstPlaybooks = (filter: PlaybookFilter, sort: PlaybookSort) =>
  useQuery({
    queryKey: [...PLAYBOOKS, 'first', filter, sort],
    queryFn: async ({ signal }) =>
      (
        await requestSlice<PlaybookSummary>(playbooksApi.list, {
          first: 0,
          count: SUGGESTED,
          filter: { ...filter },
          sort,
          signal,
        })
      ).items,
    refetchInterval: useFallbackInterval(FALLBACK_SECONDS),
  })

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
  const { data: count } = usePlaybookCount({ selection: 'COUNTED' })
  const max = useConfig()?.playbookMaxTemplates
  return { count, max, isFull: count !== undefined && max !== undefined && count >= max }
}

/** One playbook with its headings and tasks; requests nothing without an id. */
export const usePlaybook = (id: string | undefined) =>
  useQuery({
    queryKey: keyOf(id ?? ''),
    queryFn: ({ signal }) => learning(call(playbooksApi.get, { params: { id: id ?? '' }, signal })),
    refetchInterval: useFallbackInterval(FALLBACK_SECONDS),
    enabled: id !== undefined,
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

/** An act on a playbook that answers the playbook. */
function useAct<Args>(act: (args: Args) => Promise<OpenedPlaybook>) {
  const show = useShowSaved()
  return useMutation({ mutationFn: (args: Args) => learning(act(args)), onSuccess: show })
}
export const useArchivePlaybook = () => useAct((id: string) => call(playbooksApi.archive, { params: { id } }))
export const useUnarchivePlaybook = () =>
  useAct((id: string) => call(playbooksApi.unarchive, { params: { id } }))
export const useRecoverPlaybook = () => useAct((id: string) => call(playbooksApi.recover, { params: { id } }))
export const usePublishDraft = () =>
  useAct(({ id, ...body }: { id: string; revision: string; version: number }) =>
    call(playbooksApi.publish, { params: { id }, body }),
  )
export const useReturnDraft = () =>
  useAct(({ id, ...body }: { id: string; revision: string; reason: string }) =>
    call(playbooksApi.returnDraft, { params: { id }, body }),
  )

export function useDiscardDraft() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, revision }: { id: string; revision: string }) =>
      call(playbooksApi.discardDraft, { params: { id }, query: { revision } }),
    onSuccess: (_, { id }) => client.invalidateQueries({ queryKey: keyOf(id) }),
  })
}

/** The draft of a playbook, at the revision that the playbook names. */
export const useDraft = (id: string, revision: string | undefined) =>
  useQuery({
    queryKey: [...keyOf(id), 'draft', revision],
    queryFn: ({ signal }) => learning(call(playbooksApi.draft, { params: { id }, signal })),
    enabled: revision !== undefined,
  })

/** Rows per page of the bin, and of the use of tasks. */
export const ROWS_PER_PAGE = 25
/** One page of the bin. */
export const useBinPage = (page: number) =>
  useQuery({
    queryKey: [...PLAYBOOKS, 'bin', page],
    queryFn: ({ signal }) =>
      requestSlice<BinnedPlaybook>(playbooksApi.bin, {
        first: (page - 1) * ROWS_PER_PAGE,
        count: ROWS_PER_PAGE,
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export function usePurgePlaybook() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(playbooksApi.purge, { params: { id } }),
    onSuccess: () => void refresh(client),
  })
}

/** The incidents and exercises that used a playbook. */
export const usePlaybookUse = (id: string) =>
  useQuery({
    queryKey: ['playbook-use', id],
    queryFn: ({ signal }) => call(incidentPlaybooksApi.use, { params: { id }, signal }),
  })

/** One page of the tasks of a playbook with their outcomes. */
export const useTaskUse = (id: string, page: number) =>
  useQuery({
    queryKey: ['playbook-use', id, 'tasks', page],
    queryFn: ({ signal }) =>
      requestSlice<TaskUse>(incidentPlaybooksApi.taskUse, {
        first: (page - 1) * ROWS_PER_PAGE,
        count: ROWS_PER_PAGE,
        params: { id },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export function useRemoveCategory() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(playbookCategoriesApi.remove, { params: { id } }),
    onSuccess: () => void refresh(client),
  })
}
export function useRestoreCategory() {
  const client = useQueryClient()
  return (id: string) =>
    call(playbookCategoriesApi.restore, { params: { id } }).finally(() => void refresh(client))
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
