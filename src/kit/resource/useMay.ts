import { useCallback } from 'react'

import { allows } from '#contract/kit/access.ts'
import type { Api } from '#contract/kit/endpoint.ts'
import { callerOf, useSession } from '#providers/session.ts'

/** Whether this person may make a call of a noun: a button is there exactly when its call is allowed. */
export function useMay(api: Api): (name: string) => boolean {
  const session = useSession()
  return useCallback(
    (name) => {
      const endpoint = api[name]
      return endpoint !== undefined && allows(endpoint.access, callerOf(session))
    },
    [api, session],
  )
}
