import { Suspense, useSyncExternalStore } from 'react'

import { calls } from '#providers/calls/calls.ts'
import { lazy } from '#src/kit/browser/lazy.ts'

import { IncomingCalls } from './IncomingCalls.tsx'
import { Rejoin } from './Rejoin.tsx'
import { ReturnToCall } from './ReturnToCall.tsx'
import { WantedCall } from './WantedCall.tsx'

const CallWindow = lazy(async () => ({ default: (await import('#src/calls/CallWindow.tsx')).CallWindow }))
/** True for the call of this browser, and for the notice that it has ended. */
const hasWindow = (): boolean => calls.mine() !== null || calls.ended() !== null

/** Surfaces of calls on every page: ringing calls, and the call of this browser. */
export function CallSurfaces() {
  const isOpen = useSyncExternalStore(calls.watch, hasWindow)
  return (
    <>
      <IncomingCalls />
      <ReturnToCall />
      <WantedCall />
      <Rejoin />
      {isOpen && (
        <Suspense>
          <CallWindow />
        </Suspense>
      )}
    </>
  )
}
