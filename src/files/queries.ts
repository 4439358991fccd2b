import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'

import { filesApi } from '#contract/files/api.ts'
import { ROOT, type StorageItem } from '#contract/files/schema.ts'
import { groupsApi } from '#contract/groups/api.ts'
import { call } from '#providers/api.ts'
import { requestSlice } from '#providers/slice.ts'

import type { ItemView, Listed } from './selectionValues.ts'

/** The key of everything that is requested about files. */
export const FILES: QueryKey = ['files']
/** Files and folders of one page of the grid (operations §9). */
export const ITEMS_PER_PAGE = 100
/** Milliseconds between two requests for a visible folder. */
export const REFRESH_MS = 30_000

/** Requests everything that is shown of files again. */
export const refreshFiles = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: FILES })

const filterOf = ({ isCreatedByMe }: Pick<ItemView, 'isCreatedByMe'>) =>
  isCreatedByMe ? { isCreatedByMe } : {}

/** One page of a folder, or of what a search finds everywhere. */
export function useFolder(view: ItemView, enabled = true) {
  const { folderId, search, page, sort } = view
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
      return search === ''
        ? requestSlice<Listed>(filesApi.folder, { ...part, params: { id: folderId } })
        : requestSlice<Listed>(filesApi.search, { ...part, query: { query: search } })
    },
    placeholderData: (before, query) => {
      // The rows of another folder are no stand-in for those of this one.
      const shown = query?.queryKey[2] as ItemView | undefined
      return shown?.folderId === folderId && (shown.search === '') === (search === '') ? before : undefined
    },
    refetchInterval: REFRESH_MS,
    enabled,
  })
}

/** A file or folder with where it lies. The root has no details. */
export const useItem = (id: number, enabled = true) =>
  useQuery({
    queryKey: [...FILES, 'item', id],
    queryFn: ({ signal }) => call(filesApi.details, { params: { id }, signal }),
    placeholderData: keepPreviousData,
    enabled: enabled && id !== ROOT,
  })

/** The folders in a folder by name, a page at a time. */
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

/** The groups of the organisation, with whether the signed-in person is a member. */
export const useGroupChoices = (enabled: boolean) =>
  useQuery({
    queryKey: ['groups', 'choices'],
    queryFn: ({ signal }) => call(groupsApi.options, { query: { withMembers: 'false' }, signal }),
    enabled,
  })
