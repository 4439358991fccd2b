import type { HookHandlers } from '#server/kit/database/hooks.ts'

import { beginWith } from './flows.ts'

export const incidentPlaybooksHooks: HookHandlers = {
  incidentCreated: async (db, { by, incident, playbook }) => {
    if (playbook) await beginWith(db, by, incident, playbook)
  },
}
