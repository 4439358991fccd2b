import type { HookHandlers } from '#server/kit/database/hooks.ts'

import { recordNamed } from './flows.ts'
import { followRhythm } from './rhythm.flows.ts'
import { findHolderOf } from './store.ts'

export const incidentRolesHooks: HookHandlers = {
  incidentCreated: (db, { by, incident, jobs }) => followRhythm(jobs, db, incident.id, by.config),
  holdersNamed: (db, { incident, changed }) => recordNamed(db, incident, changed),
  incidentLeaders: async (db, { incidentId, found }) => {
    const commander = await findHolderOf(db, incidentId, 'COMMAND')
    if (commander !== undefined) found([commander])
  },
  incidentChanged: (db, { by, incidentId, jobs }) => followRhythm(jobs, db, incidentId, by.config),
}
