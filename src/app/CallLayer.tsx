import { Suspense, useEffect, useSyncExternalStore } from 'react'

import { calls } from '#providers/calls/calls.ts'
import { loadMessages } from '#providers/i18nProvider.ts'
import { lazy } from '#src/kit/browser/lazy.ts'

const CallSurfaces = lazy(async () => {
  const [{ CallSurfaces: surfaces }] = await Promise.all([import('./calls/CallSurfaces.tsx'), loadMessages()])
  return { default: surfaces }
})

const isAnythingShown = (): boolean =>
  [calls.mine(), calls.elsewhere(), calls.wanted(), calls.rejoin(), calls.ended(), calls.incoming()[0]].some(
    Boolean,
  )

/** Follows calls from the start of the session. Their surfaces stand beside every page and load on demand. */
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
