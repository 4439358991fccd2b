import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'

import { incidentsApi } from '#contract/incidents/api.ts'
import type { ActivityChanges, MyTask, TaskList } from '#contract/incidents/schema.ts'
import { call } from '#providers/api.ts'

const SIZE = 30
/** Below the lists of incidents, so that every change of a task refreshes it. */
const KEY = ['incidents', 'list', 'my-tasks'] as const

/** The pages of a person's tasks across incidents. */
export function useMyTasks(list: TaskList, incidentId: string | undefined) {
  return useInfiniteQuery({
    queryKey: [...KEY, list, incidentId],
    queryFn: ({ pageParam: page, signal }) =>
      call(incidentsApi.myTasks, {
        query: { page, size: SIZE, list, ...(incidentId !== undefined && { incidentId }) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ page, size, total }) => ((page + 1) * size < total ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  })
}

/** Changes a task in the list. One that somebody else has changed since is refused, and the list refreshed. */
export function useChangeMyTask({ id, version }: Pick<MyTask, 'id' | 'version'>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (changes: ActivityChanges) =>
      call(incidentsApi.updateActivity, { params: { id }, body: { ...changes, version } }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  })
}
