import type { HookHandlers } from '#server/kit/database/hooks.ts'

import { beginWith } from './flows.ts'
import { upsertRoles } from './roles.store.ts'

export const incidentPlaybooksHooks: HookHandlers = {
  incidentCreated: async (db, { by, incident, playbook, roles, start, conditionAnswers: answers }) => {
    await upsertRoles(db, incident.id, roles)
    if (playbook) await beginWith(db, by, incident, { ...playbook, answers, start })
  },
}
