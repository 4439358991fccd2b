import { useNotify } from 'react-admin'

import type { Ringing } from '#contract/calls/schema.ts'
import { calls } from '#providers/calls/calls.ts'
import { messageOf } from '#providers/problem.ts'
import { useText } from '#src/kit/useText.ts'

/** Actions on calls, which notify of refusals and of missing browser support (operations §8). */
export function useCallActs() {
  const text = useText()
  const notify = useNotify()
  /** Resolves to true on success. */
  const attempt = async (act: () => Promise<unknown>): Promise<boolean> => {
    try {
      await act()
      return true
    } catch (error) {
      notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
      return false
    }
  }
  return {
    start: (roomId: string, ringing?: Ringing) => attempt(() => calls.start(roomId, ringing)),
    startInIncident: (id: string, roomId: string | null) => attempt(() => calls.startInIncident(id, roomId)),
    join: (call: { callId: string; roomId: string }) => attempt(() => calls.join(call)),
    /** Rings people who are not in the current call, and notifies of their number. */
    ring: (ringing: Ringing) =>
      attempt(async () => {
        const rung = await calls.ring(ringing)
        notify(text('calls.rung', { smart_count: rung }), { type: 'success' })
      }),
    decline: (callId: string) => attempt(() => calls.decline(callId)),
  }
}
