import type { HookHandlers } from '#server/kit/database/hooks.ts'

import { holderOf } from './attachments.flows.ts'

export const incidentsHooks: HookHandlers = {
  attachmentsOpened: async (db, { by, parent, hold, found }) => {
    if (parent.parentType !== 'PLAYBOOK') found(await holderOf(db, by, parent, hold))
  },
}
