import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'

import { filesApi } from '#contract/files/api.ts'
import { type PlacedItem, ROOT, type StorageItem } from '#contract/files/schema.ts'
import { groupsApi } from '#contract/groups/api.ts'
import { call } from '#providers/api.ts'
import { requestSlice } from '#providers/slice.ts'

import type { ItemView, Listed } from './selectionValues.ts'

/** Common query key of all data about files. */
export const FILES: QueryKey = ['files']
/** Rows per page of the grid (operations §9). */
export const ITEMS_PER_PAGE = 100
/** Milliseconds between refreshes of a visible folder. */
export const REFRESH_MS = 30_000

/** Refetches all data about files. */
export const refreshFiles = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: FILES })

const filterOf = ({ isCreatedByMe }: Pick<ItemView, 'isCreatedByMe'>) =>
  isCreatedByMe ? { isCreatedByMe } : {}

/** One page of a folder, or of the global search. */
export function useFolder(view: ItemView, enabled = true) {
  const { place, folderId, search, page, sort } = view
  return useQuery({
    queryKey: [...FILES, 'list', view],
    queryFn: ({ signal }) => {
      const part = {
        first: (page - 1) * ITEMS_PER_PAGE,
        count: ITEMS_PER_PAGE,
        sort,
        filter: filterOf(view),
        signal,
      }
      if (place !== 'folder') {
        const { first, count } = part
        return requestSlice<Listed>(filesApi[place], { first, count, signal })
      }
      return search === ''
        ? requestSlice<Listed>(filesApi.folder, { ...part, params: { id: folderId } })
        : requestSlice<Listed>(filesApi.search, { ...part, query: { query: search } })
    },
    placeholderData: (before, query) => {
      // Rows of another folder must not stand in while this one loads.
      const shown = query?.queryKey[2] as ItemView | undefined
      const isSame =
        shown?.place === place && shown.folderId === folderId && (shown.search === '') === (search === '')
      return isSame ? before : undefined
    },
    refetchInterval: REFRESH_MS,
    enabled,
  })
}

/** The first items of a list of the person's own. */
export const useMarked = (place: 'recent' | 'starred', count: number) =>
  useQuery({
    queryKey: [...FILES, place, count],
    queryFn: ({ signal }) => requestSlice<PlacedItem>(filesApi[place], { first: 0, count, signal }),
  })

/** A file or folder with its path. The root has no details. */
export const useItem = (id: number, enabled = true) =>
  useQuery({
    queryKey: [...FILES, 'item', id],
    queryFn: ({ signal }) => call(filesApi.details, { params: { id }, signal }),
    placeholderData: keepPreviousData,
    enabled: enabled && id !== ROOT,
  })

/** Subfolders of a folder by name, in pages. */
export const useSubfolders = (id: number) =>
  useInfiniteQuery({
    queryKey: [...FILES, 'folders', id],
    queryFn: ({ pageParam: first, signal }) =>
      requestSlice<StorageItem>(filesApi.folder, {
        params: { id },
        first,
        count: ITEMS_PER_PAGE,
        filter: { isFolder: true },
        sort: ['name', 'ASC'],
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ items, total }, pages) => {
      const loaded = pages.reduce((count, one) => count + one.items.length, 0)
      return items.length > 0 && loaded < total ? loaded : undefined
    },
  })

/** Stars a file or folder, or takes the star away. */
export function useStar() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, isStarred }: Pick<StorageItem, 'id' | 'isStarred'>) =>
      call(filesApi.star, { params: { id }, body: { isStarred } }),
    onSettled: () => refreshFiles(client),
  })
}

/** The organisation's groups, with the signed-in person's membership. */
export const useGroupChoices = (enabled: boolean) =>
  useQuery({
    queryKey: ['groups', 'choices'],
    queryFn: ({ signal }) => call(groupsApi.options, { query: { withMembers: 'false' }, signal }),
    enabled,
  })
