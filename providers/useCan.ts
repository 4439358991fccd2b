import { useCallback } from 'react'

import { type Access, allows } from '#contract/kit/access.ts'

import { callerOf, useSession } from './session.ts'

/**
 * Returns a function that tells if the signed-in person has an access. Pages, menu entries and buttons are shown by the
 * access of the endpoint that they call. The access of a missing endpoint (`undefined`) is denied.
 */
export function useCan(): (access: Access | undefined) => boolean {
  const session = useSession()
  return useCallback((access) => access !== undefined && allows(access, callerOf(session)), [session])
}
