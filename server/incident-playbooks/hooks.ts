import type { HookHandlers } from '#server/kit/database/hooks.ts'

import { beginWith } from './flows.ts'
import { nameHolders } from './roles.flows.ts'
import { listHolders } from './roles.store.ts'

/** Titles of the person who commands an incident, as they are compared. */
const COMMANDERS = ['commander', 'incident commander']

export const incidentPlaybooksHooks: HookHandlers = {
  incidentCreated: async (db, { by, incident, playbook, roles, start, conditionAnswers: answers }) => {
    await nameHolders(db, by, incident, roles)
    if (playbook) await beginWith(db, by, incident, { ...playbook, answers, start })
  },
  incidentLeaders: async (db, { incidentId, found }) => found(await listHolders(db, incidentId, COMMANDERS)),
}
