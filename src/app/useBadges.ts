import { useQuery } from '@tanstack/react-query'

import { featuresApi } from '#contract/features/api.ts'
import type { Badge } from '#contract/features/schema.ts'
import { call } from '#providers/api.ts'
import { serverNow } from '#providers/serverClock.ts'

const NONE: ReadonlyMap<string, string> = new Map()
const current = (badges: readonly Badge[]): ReadonlyMap<string, string> =>
  new Map(
    badges
      .filter(({ expiryTimestamp }) => Date.parse(expiryTimestamp) > serverNow())
      .map(({ path, label }) => [path, label]),
  )

/** The menu's marks that have not expired, by the path of their entry. Asked for once after sign-in. */
export function useBadges(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['badges'],
    queryFn: ({ signal }) => call(featuresApi.badges, { signal }),
    select: current,
    staleTime: Infinity,
  })
  return data ?? NONE
}
