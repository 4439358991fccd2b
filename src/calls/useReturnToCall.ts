import { calls } from '#providers/calls/calls.ts'
import type { CallElsewhere } from '#providers/calls/otherTabs.ts'
import { useCallElsewhere, useMyCallId } from '#providers/calls/useCalls.ts'

import { useCallActs } from './useCallActs.ts'

/** The call that this browser is in, on this page or in another tab; null for none. */
export function useCallOfBrowser(): CallElsewhere | null {
  const elsewhere = useCallElsewhere()
  return useMyCallId() === null ? elsewhere : calls.mine()
}

/** Brings the call back that this browser is in. One of another tab is offered to be moved here: see `calls.wanted`. */
export function useReturnToCall(): () => void {
  const { join } = useCallActs()
  const call = useCallOfBrowser()
  return () => {
    if (call) void join(call)
  }
}
