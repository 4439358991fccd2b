import { lazy, Suspense } from 'react'

import { incidentRoomAccess } from '#contract/chat/access.ts'
import { incidentsAccess } from '#contract/incidents/access.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { useCan } from '#providers/useCan.ts'

// The stores of chat and calls stay out of what the page loads first.
const CallEverybody = lazy(async () => ({ default: (await import('./CallEverybody.tsx')).CallEverybody }))

/** Calls everybody of an active incident. One without a breakout room gets one from who may change it. */
export function CallButton({ incident }: { incident: Incident }) {
  const can = useCan()
  const mayMakeRoom = can(incidentsAccess.write)
  if (!incident.isActive || !can(incidentRoomAccess)) return null
  if (incident.breakoutRoomId === null && !mayMakeRoom) return null
  return (
    <Suspense>
      <CallEverybody incident={incident} />
    </Suspense>
  )
}
