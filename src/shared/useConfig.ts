import { useQuery } from '@tanstack/react-query'

import { configApi } from '#contract/config/api.ts'
import type { PlatformConfig } from '#contract/config/schema.ts'
import { call } from '#providers/api.ts'

const ASKS_AGAIN_AFTER_MS = 60_000

/** The configuration of the own organisation; undefined until it is known. */
export const useConfig = (): PlatformConfig | undefined =>
  useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => call(configApi.forPeople, { signal }),
    staleTime: ASKS_AGAIN_AFTER_MS,
  }).data
