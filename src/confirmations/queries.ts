import {
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'

import { confirmationsApi } from '#contract/confirmations/api.ts'
import type {
  ConfirmationPlace,
  ConfirmationRequest,
  NewConfirmation,
} from '#contract/confirmations/schema.ts'
import { call } from '#providers/api.ts'

const ALL = ['confirmations'] as const
/** Milliseconds between polls while somebody is waited for: confirmations send no live events. */
const POLL_MS = 15_000
/** People loaded by one request. */
const PAGE = 50

/** The requests of a room or an incident. */
export const useConfirmations = ({ place, id }: ConfirmationPlace) =>
  useQuery({
    queryKey: [...ALL, place, id],
    queryFn: ({ signal }) => call(confirmationsApi.list, { query: { place, id }, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ askedCount, confirmedCount }) => confirmedCount < askedCount) ? POLL_MS : false,
  })

/** Asks the people of a message or an update to confirm it. */
export async function requestConfirmation(client: QueryClient, body: NewConfirmation): Promise<void> {
  await call(confirmationsApi.request, { body })
  await client.invalidateQueries({ queryKey: ALL })
}

/** Confirms for the signed-in person, and shows it before the next poll. */
export function useConfirm({ place, id }: ConfirmationPlace) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (requestId: string) => call(confirmationsApi.confirm, { params: { id: requestId } }),
    networkMode: 'always',
    onSuccess: (confirmed) =>
      client.setQueryData<readonly ConfirmationRequest[]>([...ALL, place, id], (known) =>
        known?.map((one) => (one.id === confirmed.id ? confirmed : one)),
      ),
  })
}

/** The people who have confirmed, or those who have not, by name. */
export const useConfirming = (id: string, confirmed: boolean, count: number) =>
  useInfiniteQuery({
    queryKey: [...ALL, 'people', id, confirmed, count],
    queryFn: ({ pageParam: offset, signal }) =>
      call(confirmationsApi.people, {
        params: { id },
        query: { confirmed: `${confirmed}`, offset, size: PAGE },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, { data }) => sum + data.length, 0)
      return last.data.length > 0 && loaded < last.total ? loaded : undefined
    },
  })

/** Reminds those who have not confirmed. */
export const useRemind = (id: string) =>
  useMutation({
    mutationFn: () => call(confirmationsApi.remind, { params: { id } }),
    networkMode: 'always',
  })
