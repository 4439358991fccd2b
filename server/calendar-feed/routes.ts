import type { calendarFeedApi } from '#contract/calendar-feed/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { endFeed, feedOf, makeFeed } from './flows.ts'

export const calendarFeedRoutes = (services: Services): Handlers<typeof calendarFeedApi> => ({
  get: (_, { db, caller }) => feedOf(db, caller),
  create: (_, { db, caller }) => makeFeed(services, db, caller),
  remove: (_, { db, caller }) => endFeed(db, caller),
})
