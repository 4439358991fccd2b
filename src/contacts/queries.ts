import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

import { contactsApi } from '#contract/contacts/api.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'

/** Name of the resource, equal to its route. */
export const CONTACTS = 'mass-notifications/contacts'
/** Seconds between polls while the live socket is down. */
const FALLBACK_SECONDS = 60

/** The contact lists with their counts, by name. */
export const useContactLists = () =>
  useQuery({
    queryKey: ['contacts', 'lists'],
    queryFn: ({ signal }) => call(contactsApi.lists, { signal }),
    refetchInterval: useFallbackInterval(FALLBACK_SECONDS),
  })

/** Refetches the lists and the visible contacts. */
export function useRefreshContacts() {
  const queryClient = useQueryClient()
  return useCallback(() => {
    for (const queryKey of [['contacts'], [CONTACTS]]) void queryClient.invalidateQueries({ queryKey })
  }, [queryClient])
}
