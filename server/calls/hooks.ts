import type { HookHandlers } from '#server/kit/database/hooks.ts'

import { leaveRoomCalls } from './leaving.flows.ts'

export const callsHooks: HookHandlers = {
  membersLeaving: (db, { roomId, userIds }) => leaveRoomCalls(db, roomId, userIds),
  roomDeleted: (db, { roomId }) => leaveRoomCalls(db, roomId, 'everybody'),
}
