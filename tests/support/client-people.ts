import { http, HttpResponse } from 'msw'

import { fullName } from '#contract/kit/names.ts'
import { isSelectable, isTargetable } from '#contract/users/rules.ts'
import { type DirectoryUser, NamedPerson, PEOPLE_FOUND_MAX } from '#contract/users/schema.ts'

import { API, server } from './client.tsx'

/** Requests to the scripted server about people. */
export interface PeopleRequests {
  readonly searches: URLSearchParams[]
  /** The addresses of each call for names. */
  readonly named: string[][]
}

/** Lets the scripted server search and name these people like the real one. */
export function peopleAre(users: readonly DirectoryUser[]): PeopleRequests {
  const requests: PeopleRequests = { searches: [], named: [] }
  server.use(
    http.get(`${API}/authentication/users/search`, ({ request }) => {
      const { searchParams } = new URL(request.url)
      requests.searches.push(searchParams)
      const words = (searchParams.get('searchString') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
      const choosable = users.filter(
        searchParams.get('isTargetable') === 'true' ? isTargetable : isSelectable,
      )
      const found = choosable.filter((user) => {
        const isOffered =
          user.type === 'INTERNAL'
            ? searchParams.get('onlyExternals') !== 'true'
            : searchParams.get('withExternals') !== 'false'
        const text = `${fullName(user)} ${user.department ?? ''} ${user.email}`.toLowerCase()
        const withoutDomain = text.slice(0, text.lastIndexOf('@'))
        return isOffered && words.every((word) => (word.includes('@') ? text : withoutDomain).includes(word))
      })
      return HttpResponse.json({
        users: found.slice(0, PEOPLE_FOUND_MAX).map((user) => NamedPerson.parse(user)),
        hasExternals: choosable.some(({ type }) => type === 'EXTERNAL'),
      })
    }),
    http.get(`${API}/authentication/users/named`, ({ request }) => {
      const emails = (new URL(request.url).searchParams.get('emails') ?? '').split(',')
      requests.named.push(emails)
      const people = users.filter(({ email }) => emails.includes(email))
      return HttpResponse.json({ people: people.map((user) => NamedPerson.parse(user)) })
    }),
  )
  return requests
}
