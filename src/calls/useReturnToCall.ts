import { calls } from '#providers/calls/calls.ts'
import type { CallElsewhere } from '#providers/calls/otherTabs.ts'
import { useCallElsewhere, useMyCallId } from '#providers/calls/useCalls.ts'

import { useCallActs } from './useCallActs.ts'

/** The call of this browser, on this page or in another tab; null for none. */
export function useCallOfBrowser(): CallElsewhere | null {
  const elsewhere = useCallElsewhere()
  return useMyCallId() === null ? elsewhere : calls.mine()
}

/** Shows this browser's call again. Offers to move a call of another tab here: see `calls.wanted`. */
export function useReturnToCall(): () => void {
  const { join } = useCallActs()
  const call = useCallOfBrowser()
  return () => {
    if (call) void join(call)
  }
}
