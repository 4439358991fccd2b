import { useQuery } from '@tanstack/react-query'

import { usersApi } from '#contract/users/api.ts'
import { fullName } from '#contract/users/rules.ts'
import type { DirectoryUser } from '#contract/users/schema.ts'
import { call } from '#providers/api.ts'

/** The people of the organisation. */
export interface People {
  /** False until the directory has arrived. */
  readonly known: boolean
  readonly list: readonly DirectoryUser[]
  readonly byId: ReadonlyMap<string, DirectoryUser>
  readonly byEmail: ReadonlyMap<string, DirectoryUser>
  /** The name behind an address; the address itself when nobody is known by it. */
  readonly nameOf: (email: string) => string
}
function peopleOf({ users }: { users: readonly DirectoryUser[] }): People {
  const byEmail = new Map(users.map((user) => [user.email, user]))
  const nameOf = (email: string) => {
    const user = byEmail.get(email)
    return user ? fullName(user) || email : email
  }
  return { known: true, list: users, byId: new Map(users.map((user) => [user.uuid, user])), byEmail, nameOf }
}
const UNKNOWN: People = { ...peopleOf({ users: [] }), known: false, nameOf: () => '…' }

export const usePeopleQuery = () =>
  useQuery({
    queryKey: ['users', 'directory'],
    queryFn: ({ signal }) => call(usersApi.directory, { signal }),
    select: peopleOf,
    staleTime: 60_000,
  })

/** The directory: everybody whom this person may know of. The shell asks for it again while the socket is down. */
export function usePeople(): People {
  return usePeopleQuery().data ?? UNKNOWN
}
