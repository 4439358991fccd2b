import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { chatAccess } from '#contract/chat/access.ts'
import { incidentsApi } from '#contract/incidents/api.ts'
import { useFallbackInterval } from '#providers/live.ts'
import { usePermissionsKnown } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'
import { incidentFeed, POLL_INCIDENTS } from '#src/incidents/incidentFeed.ts'
import { CONFIG_QUERY } from '#src/config/useConfig.ts'

import { CallLayer } from './CallLayer.tsx'
import { ChatAlerts } from './ChatAlerts.tsx'
import { badges } from './useBadges.ts'

/**
 * Loads data that every session begins with and later pages find cached: the configuration (foundation §4 "Initialisation
 * after sign-in"). Polls incidents on every page while the socket is down (foundation §4 "Polling").
 */
export function Initialisation() {
  const can = useCan()
  const enabled = usePermissionsKnown()
  const pollIncidents = useFallbackInterval(POLL_INCIDENTS)
  useQuery({ ...badges, enabled })
  useQuery({ ...CONFIG_QUERY, enabled })
  // Mounted here, so that the feed stays fresh before somebody opens it.
  useInfiniteQuery({
    ...incidentFeed(),
    staleTime: POLL_INCIDENTS * 1_000,
    refetchInterval: pollIncidents,
    enabled: enabled && pollIncidents !== false && can(incidentsApi.list.access),
  })
  return enabled && can(chatAccess) ? (
    <>
      <ChatAlerts />
      <CallLayer />
    </>
  ) : null
}
