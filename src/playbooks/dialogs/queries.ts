import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'

import { PAGE_MAX } from '#contract/kit/query.ts'
import { organisationsApi } from '#contract/organisations/api.ts'
import { playbooksApi } from '#contract/playbooks/api.ts'
import type { PlaybookSummary, PlaybookVersion } from '#contract/playbooks/schema.ts'
import { call } from '#providers/api.ts'
import { statusOf } from '#providers/problem.ts'
import { requestSlice } from '#providers/slice.ts'

/** Filter of playbooks by words and category (null: Uncategorized). */
export interface PlaybookFilter {
  readonly q?: string
  readonly categoryId?: string | null
}
function fetchPlaybooks(filter: PlaybookFilter, first: number, count: number, signal?: AbortSignal) {
  const { q = '', categoryId } = filter
  return requestSlice<PlaybookSummary>(playbooksApi.list, {
    first,
    count,
    sort: ['name', 'ASC'],
    filter: { ...(q !== '' && { q }), ...(categoryId !== undefined && { categoryId }) },
    signal,
  })
}

/** One page of the playbooks that match a filter, by name. */
export function usePlaybookPage(filter: PlaybookFilter, page: number, size: number) {
  return useQuery({
    queryKey: ['playbooks', 'picker', filter, page, size],
    queryFn: ({ signal }) => fetchPlaybooks(filter, (page - 1) * size, size, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** Ids of all playbooks that match a filter, fetched in the server's largest pages. */
export async function fetchFoundIds(filter: PlaybookFilter): Promise<Set<string>> {
  const found = new Set<string>()
  for (let first = 0, total = 1; first < total; first += PAGE_MAX) {
    // oxlint-disable-next-line no-await-in-loop -- the first page says how many there are
    const page = await fetchPlaybooks(filter, first, PAGE_MAX)
    total = page.total
    for (const { id } of page.items) found.add(id)
  }
  return found
}

/** Child organisations with the number and limit of their playbooks. */
export const useChildren = () =>
  useQuery({
    queryKey: ['organisations', 'children'],
    queryFn: ({ signal }) => call(organisationsApi.children, { signal }),
    staleTime: 0,
  })

/** Milliseconds between polls of a job while it is shown. */
const JOB_POLL_MS = 1_000
/** Milliseconds that the last job of a kind is remembered on this page. */
const JOB_KEPT_MS = 86_400_000

interface JobOptions<Job> {
  /** Name of the job's kind. */
  readonly name: string
  readonly isRunning: (job: Job) => boolean
  readonly fetchProgress: (id: string) => Promise<Job>
}

/**
 * The last job of a kind that was begun on this page. It continues while its dialog is closed; its progress
 * is polled while the calling component is mounted.
 */
export function useJob<Job extends { readonly id: string }>({
  name,
  isRunning,
  fetchProgress,
}: JobOptions<Job>) {
  const client = useQueryClient()
  const key = ['playbook-jobs', name]
  const runs = (job: Job | undefined): job is Job => job !== undefined && isRunning(job)
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: () => fetchProgress(client.getQueryData<Job>(key)!.id),
    enabled: (query) => runs(query.state.data),
    refetchInterval: ({ state: { data, error } }) =>
      runs(data) && statusOf(error) !== 404 ? JOB_POLL_MS : false,
    refetchIntervalInBackground: true,
    staleTime: 0,
    gcTime: JOB_KEPT_MS,
    retry: false,
  })
  return {
    job: data,
    /** True after a failed poll of a running job, which is retried. */
    isLost: runs(data) && error !== null && statusOf(error) !== 404,
    isGone: statusOf(error) === 404,
    begin: (job: Job) => client.setQueryData<Job>(key, job),
    forget: () => client.removeQueries({ queryKey: key }),
  }
}

export const VERSIONS_PER_PAGE = 25
/** One page of a playbook's versions, newest first, and the preceding one, which the last is compared with. */
export const useVersionPage = (id: string, page: number) =>
  useQuery({
    queryKey: ['playbooks', id, 'versions', page],
    queryFn: ({ signal }) =>
      requestSlice<PlaybookVersion>(playbooksApi.versions, {
        first: (page - 1) * VERSIONS_PER_PAGE,
        count: VERSIONS_PER_PAGE + 1,
        params: { id },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** A version with its content, which never changes. Version 0 stands for nothing. */
export const useVersion = (id: string, version: number) =>
  useQuery({
    queryKey: ['playbook-versions', id, version],
    queryFn: ({ signal }) => call(playbooksApi.version, { params: { id, version }, signal }),
    enabled: version > 0,
    staleTime: Infinity,
  })
