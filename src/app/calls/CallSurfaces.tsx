import { IncomingCalls } from './IncomingCalls.tsx'
import { Rejoin } from './Rejoin.tsx'
import { ReturnToCall } from './ReturnToCall.tsx'
import { WantedCall } from './WantedCall.tsx'

/** Calls on every page: those that ring, and the call of this browser. */
export function CallSurfaces() {
  return (
    <>
      <IncomingCalls />
      <ReturnToCall />
      <WantedCall />
      <Rejoin />
    </>
  )
}
