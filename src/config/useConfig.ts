import { useQuery } from '@tanstack/react-query'

import { configApi } from '#contract/config/api.ts'
import type { PlatformConfig } from '#contract/config/schema.ts'
import { call } from '#providers/api.ts'
import { getSession, updateOrganisation } from '#providers/session.ts'

const ASKS_AGAIN_AFTER_MS = 60_000

/** Fetches the configuration. What pages need of it before it has arrived is remembered with the session. */
async function fetchConfig({ signal }: { signal: AbortSignal }): Promise<PlatformConfig> {
  const code = getSession().organisation?.code
  const config = await call(configApi.forPeople, { signal })
  const { displayName, streamApiKey, multiIncident, manageAdminToolId } = config
  if (code !== undefined)
    updateOrganisation(code, { config: { displayName, streamApiKey, multiIncident, manageAdminToolId } })
  return config
}

/** The query for the own organisation's configuration. */
export const CONFIG_QUERY = {
  queryKey: ['config'],
  queryFn: fetchConfig,
  staleTime: ASKS_AGAIN_AFTER_MS,
}

/**
 * The configuration with the state of its call. What is checked in the browser by a configured limit is not offered
 * before the limit is known: show `<Awaiting queries={[query]} />` in its place.
 */
export const useConfigQuery = () => useQuery(CONFIG_QUERY)

/** The configuration of the own organisation; undefined until it is known. */
export const useConfig = (): PlatformConfig | undefined => useConfigQuery().data
