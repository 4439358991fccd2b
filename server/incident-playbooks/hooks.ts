import type { HookHandlers } from '#server/kit/database/hooks.ts'

import { beginWith } from './flows.ts'
import { nameHolders } from './roles.flows.ts'

export const incidentPlaybooksHooks: HookHandlers = {
  incidentCreated: async (db, { by, incident, playbook, roles, start, conditionAnswers: answers }) => {
    await nameHolders(db, by, incident, roles)
    if (playbook) await beginWith(db, by, incident, { ...playbook, answers, start })
  },
}
