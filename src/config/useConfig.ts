import { useQuery } from '@tanstack/react-query'

import { configApi } from '#contract/config/api.ts'
import type { PlatformConfig } from '#contract/config/schema.ts'
import { call } from '#providers/api.ts'
import { getSession, updateOrganisation } from '#providers/session.ts'

const ASKS_AGAIN_AFTER_MS = 60_000

/** Fetches the configuration. The session remembers the parts that pages need before the next fetch. */
async function fetchConfig({ signal }: { signal: AbortSignal }): Promise<PlatformConfig> {
  const code = getSession().organisation?.code
  const config = await call(configApi.forPeople, { signal })
  const { displayName, streamApiKey, multiIncident, manageAdminToolId } = config
  if (code !== undefined)
    updateOrganisation(code, { config: { displayName, streamApiKey, multiIncident, manageAdminToolId } })
  return config
}

export const CONFIG_QUERY = {
  queryKey: ['config'],
  queryFn: fetchConfig,
  staleTime: ASKS_AGAIN_AFTER_MS,
}

/**
 * The configuration with its query state. Inputs that a configured limit checks wait for it: show `<Awaiting
 * queries={[query]} />` in their place.
 */
export const useConfigQuery = () => useQuery(CONFIG_QUERY)

/** The organisation's configuration; undefined until it has loaded. */
export const useConfig = (): PlatformConfig | undefined => useConfigQuery().data

/** True where documents of office programs are shown as PDF; false until the configuration is known. */
export const useConvertsOffice = (): boolean => useConfig()?.convertsOffice ?? false

/** True where SMS and calls are sent, and until the configuration is known. */
export const useOffersSms = (): boolean => useConfig()?.offersSms ?? true
