import type { JoinedCall, Ringing } from '#contract/calls/schema.ts'
import { enterOpenRoom, makeBreakoutRoom } from '#server/chat/incidents.flows.ts'
import { isRoomThere } from '#server/chat/rooms.store.ts'
import { opened, RESOLVED, targetedExternals } from '#server/incidents/access.flows.ts'
import { updateIncident } from '#server/incidents/store.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { changesBetween, record } from '#server/kit/events/events.ts'
import { demand } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { startCall } from './flows.ts'

const NO_ROOM = 'This incident has no breakout room.'

/**
 * Calls everybody of an incident, in its breakout room. A missing room is created: the caller owns it, and its members
 * are the people whom the incident targets.
 * @throws Refusal 403 for somebody outside the room, 409 where there is nobody to call
 */
export async function callIncident(
  services: Services,
  db: OrgDb,
  by: Caller,
  id: string,
  given: { readonly participantId: string; readonly ringing: Ringing },
): Promise<JoinedCall> {
  const mayMake = by.permissions.includes('incidents-full-access')
  const incident = await opened(db, by, id, mayMake ? 'change' : undefined)
  const { breakoutRoomId: known } = incident
  const hasRoom = known !== null && (await isRoomThere(db, known))
  if (hasRoom) {
    await enterOpenRoom(db, by, known)
    return startCall(services, db, by, { ...given, roomId: known })
  }
  demand(mayMake, 403, NO_ROOM)
  demand(incident.isActive, 409, RESOLVED)
  const at = clock.timestamp()
  const breakoutRoomId = crypto.randomUUID()
  await updateIncident(db, id, { breakoutRoomId, updateTimestamp: at })
  const changes = changesBetween({ breakoutRoomId: known }, { breakoutRoomId }, ['breakoutRoomId'])
  record(db, {
    noun: 'incidents',
    record: id,
    verb: 'changed',
    changes,
    externals: targetedExternals(incident),
    at,
  })
  await makeBreakoutRoom(db, by, { id, title: incident.title, breakoutRoomId })
  return startCall(services, db, by, { ...given, roomId: breakoutRoomId })
}
