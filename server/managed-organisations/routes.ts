import type { managedOrganisationsApi } from '#contract/managed-organisations/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { retryDeletion } from './deletion.flows.ts'
import {
  addCredentials,
  changeOrganisation,
  clearOrganisation,
  createOrganisation,
  openDetail,
  removeOrganisation,
} from './flows.ts'
import { countCredentials, listDeletions, listOrganisations } from './store.ts'

export const managedOrganisationsRoutes = (services: Services): Handlers<typeof managedOrganisationsApi> => ({
  list: ({ query }, { db }) => listOrganisations(db, query),
  deletions: (_, { db }) => listDeletions(db),
  retryDeletion: ({ params }, { db }) => retryDeletion(services, db, params.id),
  get: ({ params }, { db, caller }) => openDetail(services, db, caller, params.id),
  create: ({ body }, { db, caller }) => createOrganisation(services, db, caller, body),
  update: ({ params, body }, { db }) => changeOrganisation(services, db, params.id, body),
  remove: async ({ params, query }, { db }) => {
    await removeOrganisation(services, db, params.id, query.name)
  },
  clear: async ({ params }, { db }) => {
    await clearOrganisation(services, db, params.id)
  },
  credentials: async (_, { db }) => ({ available: await countCredentials(db) }),
  addCredentials: ({ body }, { db }) => addCredentials(services, db, body),
})
