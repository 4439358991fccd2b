import type { HookHandlers } from '#server/kit/database/hooks.ts'

import { enterTargets, makeBreakoutRoom, sayWhereToGo, startRoom } from './incidents.flows.ts'
import { refreshMessage } from './messages.flows.ts'

export const chatHooks: HookHandlers = {
  userAdmitted: (db, { userId }) => enterTargets(db, { userId }),
  groupChanged: (db, { groupId }) => enterTargets(db, { groupId }),
  incidentCreated: async (db, { by, incident: { id, title }, breakoutRoomId, start, chat }) => {
    if (breakoutRoomId === null) return
    await makeBreakoutRoom(db, by, { id, title, breakoutRoomId })
    await startRoom(chat, db, by, breakoutRoomId, start)
  },
  incidentChanged: async (db, { incidentId, breakoutRoomId }) => {
    if (breakoutRoomId !== null) await enterTargets(db, { incidentId })
  },
  incidentMerged: async (db, { by, from, into, chat }) => {
    if (from.breakoutRoomId !== null) await sayWhereToGo(chat, db, by, from.breakoutRoomId, into)
  },
  activityRemoved: async (db, { chat, messageId }) => {
    if (messageId !== null) await refreshMessage(chat, db, messageId)
  },
}
