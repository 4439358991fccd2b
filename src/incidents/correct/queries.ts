import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { incidentsApi } from '#contract/incidents/api.ts'
import type { Incident, Merge } from '#contract/incidents/schema.ts'
import { call } from '#providers/api.ts'
import { learning } from '#providers/people.ts'

import { useTakeIncident } from '../queries.ts'

/** Incidents offered for a merge; more are hardly in progress at a time. */
const OFFERED = 100
const UNPOPULATED = {
  populateCheckIns: 'false',
  populateTargetedUsers: 'false',
  populateGroupMembers: 'false',
} as const

/** Reopens a resolved incident. */
export function useReopen(id: string) {
  const take = useTakeIncident(id)
  return useMutation({
    mutationFn: (reason: string) =>
      learning(call(incidentsApi.reopen, { params: { id }, query: UNPOPULATED, body: { reason } })),
    onSuccess: take,
  })
}

/** Merges an incident into another one. */
export function useMerge(id: string) {
  const take = useTakeIncident(id)
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Merge) =>
      learning(call(incidentsApi.merge, { params: { id }, query: UNPOPULATED, body })),
    onSuccess: async (incident, { into }) => {
      await take(incident)
      // The other one has new people, tasks and a link.
      await client.invalidateQueries({ queryKey: ['incidents', into] })
    },
  })
}

/** The incidents in progress that an incident can be merged into. */
export function useMergeable({ id, isTabletop }: Pick<Incident, 'id' | 'isTabletop'>) {
  return useQuery({
    queryKey: ['incidents', 'list', 'mergeable', isTabletop],
    queryFn: ({ signal }) =>
      call(incidentsApi.list, {
        query: { isActive: 'true', isTabletop: isTabletop ? 'true' : 'false', size: OFFERED },
        signal,
      }),
    select: ({ data }) =>
      data
        .filter((one) => one.id !== id)
        .map(({ id: other, number, title }) => ({ id: other, number, title })),
  })
}
