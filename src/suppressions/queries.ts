import { type QueryClient, useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { suppressionsApi } from '#contract/suppressions/api.ts'
import type { FoundSuppression } from '#contract/suppressions/schema.ts'
import { call } from '#providers/api.ts'
import { useCan } from '#providers/useCan.ts'

import { personKey, type Suppressions } from './context.ts'

const KEY = ['suppressions'] as const
/** Addresses of a request: the server takes 500. */
const CHUNK = 300

/** Addresses once each, in parts counted from the end, so that a new one in front asks for its own part alone. */
function chunksOf(list: readonly (string | null)[]): string[][] {
  const given = list.filter((address) => address !== null && address !== '') as string[]
  const addresses = [...new Set(given.map((address) => address.toLowerCase()))]
  const chunks: string[][] = []
  for (let end = addresses.length; end > 0; end -= CHUNK)
    chunks.push(addresses.slice(Math.max(0, end - CHUNK), end))
  return chunks
}

/** Suppressions that earlier requests have found, shown until the request for these addresses is answered. */
const knownOf = (client: QueryClient, chunk: readonly string[]) =>
  client
    .getQueriesData<FoundSuppression[]>({ queryKey: KEY })
    .flatMap(([, found = []]) => found)
    .filter(({ address, owner }) => chunk.includes(owner?.toLowerCase() ?? address))

const together = (
  results: readonly { readonly data?: FoundSuppression[] | undefined }[],
): FoundSuppression[] => results.flatMap(({ data = [] }) => data)

/**
 * Suppressions of addresses on screen, by lower-case address: one request for each list of up to 300. Without access, and
 * where a request fails, there are none. Lists are memoised by the caller.
 */
export function useSuppressions(lists: readonly (readonly (string | null)[])[]): Suppressions {
  const client = useQueryClient()
  const isAllowed = useCan()(suppressionsApi.find.access)
  const chunks = useMemo(() => (isAllowed ? lists.flatMap(chunksOf) : []), [isAllowed, lists])
  const found = useQueries({
    queries: chunks.map((chunk) => ({
      queryKey: [...KEY, chunk],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(suppressionsApi.find, { body: { addresses: chunk }, signal }),
      placeholderData: () => knownOf(client, chunk),
    })),
    combine: together,
  })
  return useMemo(() => {
    const byAddress = new Map<string, FoundSuppression[]>()
    // A number can belong to several users.
    for (const one of new Map(found.map((each) => [`${each.id} ${each.owner}`, each])).values()) {
      const key = one.owner === null ? one.address : personKey(one.owner)
      byAddress.set(key, [...(byAddress.get(key) ?? []), one])
    }
    return byAddress
  }, [found])
}

/** Allows an address again. Marks on screen go at once, and all lists are requested again. */
export function useLift(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (reason: string) => call(suppressionsApi.lift, { params: { id }, body: { reason } }),
    onSuccess: () => {
      client.setQueriesData<FoundSuppression[]>({ queryKey: KEY }, (found) =>
        found?.filter((suppression) => suppression.id !== id),
      )
    },
    onSettled: () => {
      for (const queryKey of [KEY, ['readiness']]) void client.invalidateQueries({ queryKey })
    },
  })
}
