import { queryOptions, useQuery } from '@tanstack/react-query'

import { featuresApi } from '#contract/features/api.ts'
import type { Badge } from '#contract/features/schema.ts'
import { call } from '#providers/api.ts'
import { serverNow } from '#providers/serverClock.ts'

const NONE: ReadonlyMap<string, string> = new Map()
const current = (known: readonly Badge[]): ReadonlyMap<string, string> =>
  new Map(
    known
      .filter(({ expiryTimestamp }) => Date.parse(expiryTimestamp) > serverNow())
      .map(({ path, label }) => [path, label]),
  )

/** Requested once after sign-in (foundation §4 "Initialisation after sign-in"). */
export const badges = queryOptions({
  queryKey: ['badges'],
  queryFn: ({ signal }) => call(featuresApi.badges, { signal }),
  staleTime: Infinity,
})

/** The menu's badges that have not expired, by path; empty until the session has loaded them. */
export function useBadges(): ReadonlyMap<string, string> {
  const { data } = useQuery({ ...badges, select: current, enabled: false })
  return data ?? NONE
}
