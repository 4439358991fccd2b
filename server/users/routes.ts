import type { usersApi } from '#contract/users/api.ts'
import { OFFERED_ROLES, roleOption } from '#contract/users/rules.ts'
import { notFound } from '#server/kit/refusal.ts'
import type { Handlers } from '#server/kit/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { changeUser, createUser, deactivateUser, reactivateUser, shown, USER } from './flows.ts'
import { findShownUser, listColleagues, listDirectory, listUsers } from './store.ts'

export const usersRoutes = (services: Services): Handlers<typeof usersApi> => ({
  directory: async (_, { db, caller }) => ({
    users: await (caller.type === 'EXTERNAL' ? listColleagues(db, caller.id) : listDirectory(db)),
  }),
  list: async ({ query }, { db }) => {
    const { rows, total } = await listUsers(db, query)
    return { rows: rows.map(shown), total }
  },
  get: async ({ params }, { db }) => {
    const user = await findShownUser(db, params.uuid)
    if (!user) throw notFound(USER)
    return shown(user)
  },
  create: ({ body }, { db, caller }) => createUser(services, db, caller, body),
  update: ({ params, body }, { db, caller }) => changeUser(services, db, caller, params.uuid, body),
  deactivate: async ({ params }, { db, caller }) => {
    await deactivateUser(db, caller, params.uuid)
  },
  reactivate: ({ params }, { db }) => reactivateUser(db, params.uuid),
  roles: async () => OFFERED_ROLES.map(roleOption),
})
