import { PLAYBOOK_ARCHIVED } from '#contract/playbooks/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import { demand } from '#server/kit/core/refusal.ts'
import type { HookHandlers } from '#server/kit/database/hooks.ts'

import { openedPlaybook } from './access.flows.ts'

export const playbooksHooks: HookHandlers = {
  attachmentsOpened: async (db, { by, parent, hold, found }) => {
    if (parent.parentType !== 'PLAYBOOK') return
    const { id, archiveTimestamp } = await openedPlaybook(db, by, parent.parentId, hold)
    demand(!hold || archiveTimestamp === null, 409, PLAYBOOK_ARCHIVED)
    // Permission to change a playbook includes its files (operations §6).
    found({
      parentIds: { incidentId: null, playbookId: id, activityId: null },
      eventContext: { id, externals: [], at: clock.timestamp() },
      demandAdd: () => {},
      demandRemove: () => {},
    })
  },
}
