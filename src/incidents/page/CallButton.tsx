import { Suspense } from 'react'

import { incidentRoomAccess } from '#contract/chat/access.ts'
import { incidentsAccess } from '#contract/incidents/access.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'

// Keeps the stores of chat and calls out of the page's chunk.
const CallEverybody = lazy(async () => ({ default: (await import('./CallEverybody.tsx')).CallEverybody }))

/** Calls everybody of an active incident. Without a breakout room, people who may edit the incident create one. */
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
