import { Suspense, useContext } from 'react'

import { lazy } from '#src/kit/browser/lazy.ts'

import { personKey, SuppressedContext } from './context.ts'

const SuppressionMark = lazy(async () => ({
  default: (await import('./SuppressionMark.tsx')).SuppressionMark,
}))

/** The reason why the address or a number of a user in a picker is not tried. Loads once there is one. */
export function PersonMark({ email }: { email: string }) {
  const { found } = useContext(SuppressedContext)
  const addresses = [email, personKey(email)]
  if (!addresses.some((address) => found.has(address.toLowerCase()))) return null
  return (
    <Suspense>
      <SuppressionMark addresses={addresses} isStatic />
    </Suspense>
  )
}
