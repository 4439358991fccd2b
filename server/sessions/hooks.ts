import type { HookHandlers } from '#server/kit/database/hooks.ts'

import { endSessions } from './flows.ts'

export const sessionsHooks: HookHandlers = {
  userSignedOut: (db, { userId, reason }) => endSessions(db, { userId }, reason),
}
