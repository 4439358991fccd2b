import { useCallback } from 'react'

import { allows } from '#contract/kit/access.ts'
import type { ResourceApi } from '#providers/dataProvider.ts'
import { callerOf, useSession } from '#providers/session.ts'

/** Whether this person may make a call of a noun: a button is there exactly when its call is allowed. */
export function useMay(api: ResourceApi): (name: string) => boolean {
  const session = useSession()
  return useCallback(
    (name) => {
      const endpoint = api[name]
      return endpoint !== undefined && allows(endpoint.access, callerOf(session))
    },
    [api, session],
  )
}
