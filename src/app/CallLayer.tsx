import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'

import { calls } from '#providers/calls/calls.ts'
import { loadMessages } from '#providers/i18nProvider.ts'

const CallSurfaces = lazy(async () => {
  const [{ CallSurfaces: surfaces }] = await Promise.all([import('./calls/CallSurfaces.tsx'), loadMessages()])
  return { default: surfaces }
})

const isAnythingShown = (): boolean =>
  [calls.mine(), calls.elsewhere(), calls.wanted(), calls.rejoin(), calls.ended(), calls.incoming()[0]].some(
    Boolean,
  )

/** Takes part in calls from the start of the session. What is shown of them stands beside every page, and loads when it is needed. */
export function CallLayer() {
  useEffect(() => calls.follow(), [])
  const isShown = useSyncExternalStore(calls.watch, isAnythingShown)
  return (
    isShown && (
      <Suspense>
        <CallSurfaces />
      </Suspense>
    )
  )
}
