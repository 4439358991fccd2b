import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

import { contactsApi } from '#contract/contacts/api.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'

/** The resource, which is named by its route. */
export const CONTACTS = 'mass-notifications/contacts'
/** Seconds between two requests while the live socket is down. */
const FALLBACK_SECONDS = 60

/** The contact lists with their counts, by name. */
export const useContactLists = () =>
  useQuery({
    queryKey: ['contacts', 'lists'],
    queryFn: ({ signal }) => call(contactsApi.lists, { signal }),
    refetchInterval: useFallbackInterval(FALLBACK_SECONDS),
  })

/** Requests the lists and the contacts that are shown again. */
export function useRefreshContacts() {
  const queryClient = useQueryClient()
  return useCallback(() => {
    for (const queryKey of [['contacts'], [CONTACTS]]) void queryClient.invalidateQueries({ queryKey })
  }, [queryClient])
}
