import { useQuery } from '@tanstack/react-query'

import { configApi } from '#contract/config/api.ts'
import type { PlatformConfig } from '#contract/config/schema.ts'
import { call } from '#providers/api.ts'

const ASKS_AGAIN_AFTER_MS = 60_000

/** The query for the own organisation's configuration. */
export const CONFIG_QUERY = {
  queryKey: ['config'],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<PlatformConfig> =>
    call(configApi.forPeople, { signal }),
  staleTime: ASKS_AGAIN_AFTER_MS,
}

/**
 * The configuration with the state of its call. What is checked in the browser by a configured limit is not offered
 * before the limit is known: show `<Awaiting queries={[query]} />` in its place.
 */
export const useConfigQuery = () => useQuery(CONFIG_QUERY)

/** The configuration of the own organisation; undefined until it is known. */
export const useConfig = (): PlatformConfig | undefined => useConfigQuery().data
