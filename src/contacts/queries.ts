import { useQuery } from '@tanstack/react-query'

import { contactsApi } from '#contract/contacts/api.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'

/** What queries about contacts begin with: the noun, so that the live socket's news reach them. */
export const CONTACTS = 'contacts'
/** Seconds between two questions while the live socket is down. */
const FALLBACK_SECONDS = 60

/** The contact lists with their counts, by name. */
export const useContactLists = () =>
  useQuery({
    queryKey: [CONTACTS, 'lists'],
    queryFn: ({ signal }) => call(contactsApi.lists, { signal }),
    refetchInterval: useFallbackInterval(FALLBACK_SECONDS),
  })

/** Whose contacts: those of a list, or those that a search finds in all of them. */
export type Asked = { readonly list: string } | { readonly q: string }

/** Contacts by name, all of them: the server has no pages of them. */
export const useContacts = (asked: Asked | undefined) =>
  useQuery({
    queryKey: [CONTACTS, 'people', asked ?? null],
    queryFn: ({ signal }) => call(contactsApi.asList, { query: asked ?? {}, signal }),
    enabled: asked !== undefined,
    refetchInterval: useFallbackInterval(FALLBACK_SECONDS),
    // While somebody types on, what was found so far stays; another list is never shown in a list's place.
    placeholderData: (before, query) => {
      const earlier = query?.queryKey[2] as Asked | null | undefined
      return asked && earlier && 'q' in asked && 'q' in earlier ? before : undefined
    },
  })
