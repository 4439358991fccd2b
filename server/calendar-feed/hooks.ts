import type { HookHandlers } from '#server/kit/database/hooks.ts'

import { endFeedOf } from './flows.ts'

export const calendarFeedHooks: HookHandlers = {
  userRevoked: (db, { userId }) => endFeedOf(db, userId),
}
