import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { incidentRolesApi } from '#contract/incident-roles/api.ts'
import type { NextUpdateChange, RoleHandover } from '#contract/incident-roles/schema.ts'
import { call } from '#providers/api.ts'
import { live, useFallbackInterval } from '#providers/live.ts'

/** Seconds between polls while the live socket is down. */
const POLL = 15
/** Holders in the history of a role. */
export const HOLDERS_SHOWN = 20

// Below the noun, whose live events renew it.
const keyOf = (incidentId: string): QueryKey => ['incident-roles', 'command', incidentId]
/** Other nouns whose changes move the time of the next update. */
const MOVING: readonly string[] = ['incidents', 'activities', 'situation-reports']

/** Roles with their holders, and the next update. */
export function useCommand(incidentId: string) {
  const client = useQueryClient()
  const refetchInterval = useFallbackInterval(POLL)
  useEffect(
    () =>
      live.listen((news) => {
        if (news.type === 'reset' || !MOVING.includes(news.noun)) return
        if (news.parent === incidentId || news.record === incidentId)
          void client.invalidateQueries({ queryKey: keyOf(incidentId) })
      }),
    [client, incidentId],
  )
  return useQuery({
    queryKey: keyOf(incidentId),
    queryFn: ({ signal }) => call(incidentRolesApi.command, { params: { id: incidentId }, signal }),
    refetchInterval,
  })
}

/** The newest holders of a role. */
export const useHolders = (incidentId: string, roleId: string) =>
  useQuery({
    queryKey: [...keyOf(incidentId), 'holders', roleId],
    queryFn: ({ signal }) =>
      call(incidentRolesApi.holdings, {
        params: { id: incidentId },
        query: { roleId, size: `${HOLDERS_SHOWN}` },
        signal,
      }),
  })

/** The acts of a role and of the next update. Each shows what it made. */
export function useCommandActs(incidentId: string) {
  const client = useQueryClient()
  const renewed = async <T>(act: Promise<T>): Promise<T> => {
    try {
      return await act
    } finally {
      // After a refusal, too: somebody else may hold the role now.
      await Promise.all([
        client.invalidateQueries({ queryKey: keyOf(incidentId) }),
        client.invalidateQueries({ queryKey: ['incidents', incidentId] }),
      ])
    }
  }
  return {
    handOver: (roleId: string, body: RoleHandover) =>
      renewed(call(incidentRolesApi.handOver, { params: { id: incidentId, roleId }, body })),
    release: (roleId: string, heldBy: string) =>
      renewed(call(incidentRolesApi.release, { params: { id: incidentId, roleId }, body: { heldBy } })),
    setNextUpdate: (body: NextUpdateChange) =>
      renewed(call(incidentRolesApi.setNextUpdate, { params: { id: incidentId }, body })),
  }
}
