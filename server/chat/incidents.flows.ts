import { NAME_MIN } from '#contract/chat/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Caller } from '#server/kit/http/serve.ts'

import { freeName, listMissing, type Targets } from './incidents.store.ts'
import { enterRoom, makeRoom } from './rooms.flows.ts'
import { lockChat } from './rooms.store.ts'

/**
 * Makes the breakout room of a new incident, under the id that the incident has for it. Its creator owns it; for an incident
 * that a program declared it has no owner. Called after the last other lock of the transaction.
 */
export async function makeBreakoutRoom(
  db: OrgDb,
  by: Pick<Caller, 'kind' | 'id' | 'name'>,
  incident: { readonly id: string; readonly title: string; readonly breakoutRoomId: string },
): Promise<void> {
  await lockChat(db)
  const title = incident.title.length < NAME_MIN ? `Incident ${incident.title}` : incident.title
  await makeRoom(db, {
    id: incident.breakoutRoomId,
    kind: 'BREAKOUT_ROOM',
    name: await freeName(db, title),
    description: null,
    owner: by.kind === 'person' ? { id: by.id, email: by.name } : null,
    members: [],
  })
  await enterTargets(db, { incidentId: incident.id })
}

/**
 * Lets people whom an incident targets by now, by name or through a group, enter its breakout room. Archived, banned and
 * business users are in no group's targets until they are reactivated, unbanned or given another role. Who was taken out of it
 * stays out.
 */
export async function enterTargets(db: OrgDb, of: Targets): Promise<void> {
  if ((await listMissing(db, of)).length === 0) return
  await lockChat(db)
  const missing = Map.groupBy(await listMissing(db, of), ({ roomId }) => roomId)
  for (const [roomId, people] of missing) await enterRoom(db, roomId, people, { returning: false })
}
