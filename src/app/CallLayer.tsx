import { useEffect } from 'react'

import { calls } from '#providers/calls/calls.ts'

/** Takes part in calls from the start of the session: what belongs to them stands beside every page. */
export function CallLayer() {
  useEffect(() => calls.follow(), [])
  return null
}
