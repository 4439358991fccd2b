import { keepPreviousData, type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { filesApi } from '#contract/files/api.ts'
import type { ItemEvent, TrashedItem } from '#contract/files/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'
import { requestSlice } from '#providers/slice.ts'

/** Rows per page in a panel or dialog. */
export const ROWS_PER_PAGE = 25
/** Seconds between polls while the live socket is down. */
const FALLBACK_SECONDS = 60
const FILES: QueryKey = ['files']

/** A file or folder with its path and the size of its contents. */
export const useItemDetails = (id: number) =>
  useQuery({
    queryKey: [...FILES, 'details', id],
    queryFn: ({ signal }) => call(filesApi.details, { params: { id }, signal }),
    refetchInterval: useFallbackInterval(FALLBACK_SECONDS),
  })

export const useFileVersions = (id: number) =>
  useQuery({
    queryKey: [...FILES, 'versions', id],
    queryFn: ({ signal }) => call(filesApi.versions, { params: { id }, signal }),
  })

/** One page of the people who can open an item. */
export const useReaderPage = (id: number, page: number) =>
  useQuery({
    queryKey: [...FILES, 'readers', id, page],
    queryFn: ({ signal }) =>
      requestSlice<NamedPerson>(filesApi.readers, {
        params: { id },
        first: (page - 1) * ROWS_PER_PAGE,
        count: ROWS_PER_PAGE,
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** One page of an item's history, newest first. */
export const useEventPage = (id: number, page: number) =>
  useQuery({
    queryKey: [...FILES, 'events', id, page],
    queryFn: ({ signal }) =>
      requestSlice<ItemEvent>(filesApi.events, {
        params: { id },
        first: (page - 1) * ROWS_PER_PAGE,
        count: ROWS_PER_PAGE,
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** One page of the trash, newest first. */
export const useTrashPage = (page: number) =>
  useQuery({
    queryKey: [...FILES, 'trash', page],
    queryFn: ({ signal }) =>
      requestSlice<TrashedItem>(filesApi.trash, {
        first: (page - 1) * ROWS_PER_PAGE,
        count: ROWS_PER_PAGE,
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** A mutation that refetches everything shown of the storage. */
function useFilesMutation<Variables, Result>(mutationFn: (variables: Variables) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => void client.invalidateQueries({ queryKey: FILES }),
  })
}

export const useHold = (id: number) =>
  useFilesMutation((isOnHold: boolean) => call(filesApi.hold, { params: { id }, body: { isOnHold } }))
export const useRestoreVersion = (id: number) =>
  useFilesMutation((fileVersion: number) => call(filesApi.restoreVersion, { params: { id, fileVersion } }))
export const useRestoreItem = () =>
  useFilesMutation((id: number) => call(filesApi.restore, { params: { id } }))
export const usePurgeItem = () => useFilesMutation((id: number) => call(filesApi.purge, { params: { id } }))
