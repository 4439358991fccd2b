import { useNotify } from 'react-admin'
import { useState } from 'react'

import { incidentNudgesApi } from '#contract/incident-nudges/api.ts'
import type { NudgeChannel, Nudged } from '#contract/incident-nudges/schema.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { LIMIT_REACHED } from '#contract/kit/limits.ts'
import { call } from '#providers/api.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { useText } from '#src/kit/useText.ts'

/** Nudges people of an incident who have not checked in, and says how many were nudged. */
export function useNudge({ id, breakoutRoomId }: Incident) {
  const text = useText()
  const notify = useNotify()
  const [isSending, setSending] = useState(false)
  const tell = ({ nudged, tooSoon, unreachable }: Nudged) => {
    const parts = [
      text('incidents.nudged', { smart_count: nudged }),
      tooSoon > 0 && text('incidents.nudgedTooSoon', { smart_count: tooSoon }),
      unreachable > 0 && text('incidents.nudgedNot', { smart_count: unreachable }),
    ]
    notify(parts.filter(Boolean).join(' '), { type: unreachable > 0 ? 'warning' : 'success' })
  }
  /** Without ids, nudges everybody who is waited for. */
  const send = async (channel: NudgeChannel, userIds?: readonly string[]) => {
    setSending(true)
    try {
      if (channel === 'CALL') {
        // Keeps the store of calls out of the page's chunk.
        const { calls } = await import('#providers/calls/calls.ts')
        await calls.startInIncident(id, breakoutRoomId, { who: 'NOBODY' })
      }
      const body = { channel, ...(userIds && { userIds: [...userIds] }) }
      tell(await call(incidentNudgesApi.nudge, { params: { id }, body }))
    } catch (error) {
      // The shell shows how long to wait after a limit.
      const isLimit = error instanceof HttpProblem && error.body.code === LIMIT_REACHED
      if (!isLimit) notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
    } finally {
      setSending(false)
    }
  }
  return { send, isSending }
}
