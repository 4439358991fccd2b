import { infiniteQueryOptions } from '@tanstack/react-query'

import { incidentsApi } from '#contract/incidents/api.ts'
import { FEED_PAGE_SIZE } from '#contract/incidents/schema.ts'
import { call } from '#providers/api.ts'
import { learning } from '#providers/people.ts'

/** Seconds between two questions for the list while the live socket is down (foundation §4 "Polling"). */
export const POLL_INCIDENTS = 601

/**
 * The incidents, newest first, page by page; an empty word finds everything. The shell asks for that one again while the
 * socket is down, whichever page is shown.
 */
export const incidentFeed = (searchWord: string) =>
  infiniteQueryOptions({
    queryKey: ['incidents', 'list', 'feed', searchWord],
    queryFn: ({ pageParam, signal }) =>
      learning(
        call(incidentsApi.list, {
          query: { page: pageParam, size: FEED_PAGE_SIZE, ...(searchWord && { searchWord }) },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ page, size, total }) => ((page + 1) * size < total ? page + 1 : undefined),
  })
