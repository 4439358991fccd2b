import type { usersApi } from '#contract/users/api.ts'
import { OFFERED_ROLES, roleOption } from '#contract/users/rules.ts'
import { rowsById } from '#server/kit/http/rows.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  activateAgain,
  changeUser,
  createUser,
  deactivateUser,
  endUserSessions,
  openUser,
  reactivateUser,
  resetAuthenticator,
  sendPasswordReset,
  sendUsers,
} from './flows.ts'
import { changeRoleOfSeveral, deactivateSeveral, inviteSeveral } from './several.flows.ts'
import { importUsers } from './import.flows.ts'
import { knownTo, listDirectory, listDirectoryIds, listNamed, searchPeople } from './people.store.ts'
import { listByEmail } from './store.ts'

export const usersRoutes = (services: Services): Handlers<typeof usersApi> => ({
  directory: async (_, { db, caller, later }) => {
    const ids = await listDirectoryIds(db, knownTo(caller))
    return { users: rowsById(ids, (some) => later((own) => listDirectory(own, some))) }
  },
  search: ({ query }, { db, caller }) => searchPeople(db, query, knownTo(caller)),
  named: async ({ query }, { db, caller }) => ({
    people: await listNamed(db, query.emails, knownTo(caller)),
  }),
  list: ({ query }, context) => sendUsers(context, query),
  get: ({ params }, { db }) => openUser(db, params.uuid),
  create: ({ body }, { db, caller }) => createUser(services, db, caller, body),
  update: ({ params, body }, { db, caller }) => changeUser(services, db, caller, params.uuid, body),
  deactivate: async ({ params }, { db, caller }) => {
    await deactivateUser(db, caller, params.uuid)
  },
  endSessions: async ({ params }, { db, caller }) => {
    await endUserSessions(db, caller, params.uuid)
  },
  reactivate: ({ params }, { db }) => reactivateUser(db, params.uuid),
  sendPasswordReset: async ({ params }, { db, caller }) => {
    await sendPasswordReset(services, db, caller, params.uuid)
  },
  sendActivation: async ({ params }, { db, caller }) => {
    await activateAgain(services, db, caller, params.uuid)
  },
  resetAuthenticator: async ({ params }, { db, caller }) => {
    await resetAuthenticator(services, db, caller, params.uuid)
  },
  deactivateSeveral: ({ body }, { db, caller }) => deactivateSeveral(db, caller, body.ids),
  sendActivationSeveral: ({ body }, { db, caller }) => inviteSeveral(services, db, caller, body.ids),
  changeRoleSeveral: ({ body }, { db, caller }) => changeRoleOfSeveral(services, db, caller, body),
  existing: async ({ body }, { db }) => ({
    emails: (await listByEmail(db, body.emails)).map(({ email }) => email),
  }),
  import: ({ body, query }, { db, caller }) => importUsers(services, db, caller, body, query.fileName),
  roles: async () => OFFERED_ROLES.map(roleOption),
})
