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
  resumeOrganisation,
  suspendOrganisation,
  undoDeletion,
} from './flows.ts'
import { countCredentials, listDeletions, listOrganisations } from './store.ts'

export const managedOrganisationsRoutes = (services: Services): Handlers<typeof managedOrganisationsApi> => ({
  list: ({ query }, { db }) => listOrganisations(db, query),
  deletions: (_, { db }) => listDeletions(db),
  undoDeletion: ({ params }, { db }) => undoDeletion(services, db, params.id),
  retryDeletion: ({ params }, { db }) => retryDeletion(services, db, params.id),
  get: ({ params }, { db, caller }) => openDetail(services, db, caller, params.id),
  create: ({ body }, { db, caller }) => createOrganisation(services, db, caller, body),
  update: ({ params, body }, { db }) => changeOrganisation(services, db, params.id, body),
  remove: ({ params }, { db }) => removeOrganisation(services, db, params.id),
  suspend: ({ params }, { db }) => suspendOrganisation(services, db, params.id),
  resume: ({ params }, { db }) => resumeOrganisation(services, db, params.id),
  clear: async ({ params }, { db }) => {
    await clearOrganisation(services, db, params.id)
  },
  credentials: async (_, { db }) => ({ available: await countCredentials(db) }),
  addCredentials: ({ body }, { db }) => addCredentials(services, db, body),
})
