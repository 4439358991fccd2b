import type { channelsApi } from '#contract/channels/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  accessToken,
  addModerators,
  changeMembers,
  demoteModerators,
  mark,
  membersOf,
  removeChannel,
  updateChannel,
} from './flows.ts'
import { listChannels } from './store.ts'

export const channelsRoutes = (services: Services): Handlers<typeof channelsApi> => ({
  list: async ({ body }, { db }) => listChannels(db, body),
  members: async ({ body }, { db }) => ({ members: await membersOf(db, body) }),
  update: ({ params, body }, { db }) => updateChannel(db, params.id, body.set),
  changeMembers: ({ params, body }, { db, caller }) => changeMembers(db, caller, params.id, body),
  remove: ({ params }, { db }) => removeChannel(services, db, params.id),
  accessToken: (_, { db, caller }) => accessToken(services, db, caller),
  addModerator: ({ body }, { db, caller }) => addModerators(db, caller, body.channelId, body.moderatorIds),
  demoteModerator: ({ body }, { db, caller }) =>
    demoteModerators(db, caller, body.channelId, body.moderatorIds),
  mark: ({ params }, { db, caller }) => mark(services, db, caller, params.id, params.isPrivileged),
})
