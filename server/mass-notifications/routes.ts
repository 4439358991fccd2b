import type { massNotificationsApi } from '#contract/mass-notifications/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  demandSubscription,
  groupMembers,
  notifiableGroups,
  openDashboard,
  openNotification,
  sendNotification,
} from './flows.ts'
import { listNotifications } from './store.ts'

export const massNotificationsRoutes = (services: Services): Handlers<typeof massNotificationsApi> => ({
  dashboard: (_, { db, caller }) => openDashboard(db, caller),
  send: {
    first: demandSubscription,
    handle: ({ body }, { db, caller }) => sendNotification(services, db, caller, body),
  },
  members: ({ body }, { db }) => groupMembers(db, body.groupIds),
  groups: (_, { db, caller }) => notifiableGroups(db, caller),
  list: ({ query }, { db }) => listNotifications(db, query),
  get: ({ params }, { db }) => openNotification(db, params.id),
})
