import type { notificationsApi } from '#contract/notifications/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { findNotifications, readAll, readOne } from './flows.ts'

export const notificationsRoutes: Handlers<typeof notificationsApi> = {
  list: (_, { db, caller }) => findNotifications(db, caller.id),
  read: async ({ params }, { db, caller }) => {
    await readOne(db, caller, params.id)
  },
  readAll: async (_, { db, caller }) => {
    await readAll(db, caller)
  },
}
