import type { HookHandlers } from '#server/kit/database/hooks.ts'

import { recordNamed } from './flows.ts'
import { followRhythm } from './rhythm.flows.ts'

export const incidentRolesHooks: HookHandlers = {
  incidentCreated: (db, { by, incident, jobs }) => followRhythm(jobs, db, incident.id, by.config),
  holdersNamed: (db, { incident, changed }) => recordNamed(db, incident, changed),
  incidentChanged: (db, { by, incidentId, jobs }) => followRhythm(jobs, db, incidentId, by.config),
}
