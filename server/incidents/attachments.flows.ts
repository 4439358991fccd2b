import { attachmentCan } from '#contract/attachments/rules.ts'
import { NOT_YOUR_FILE, type Parent } from '#contract/attachments/schema.ts'
import type { Holder } from '#server/attachments/flows.ts'
import { clock } from '#server/kit/core/clock.ts'
import { demand, notFound } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Acting } from '#server/kit/http/serve.ts'

import { meOf, opened, RESOLVED, stateOf, targetedExternals } from './access.flows.ts'
import { findIncidentOfActivity } from './activities.store.ts'
import type { IncidentWithTargets } from './reading.store.ts'

/**
 * The incident, or the task or update of one, that files are attached to.
 * @throws Refusal 404
 */
export async function holderOf(
  db: OrgDb,
  by: Acting,
  parent: Parent,
  hold: 'change' | undefined,
): Promise<Holder> {
  const incident = await incidentOf(db, by, parent, hold)
  const state = { ...stateOf(incident), createdBy: incident.createdBy }
  return {
    parentIds: {
      incidentId: incident.id,
      playbookId: null,
      activityId: parent.parentType === 'ACTIVITY' ? parent.parentId : null,
    },
    eventContext: { id: incident.id, externals: targetedExternals(incident), at: clock.timestamp() },
    demandAdd: () => demand(attachmentCan.add(state, meOf(by)), 409, RESOLVED),
    demandRemove: (createdBy) => {
      demand(state.isActive, 409, RESOLVED)
      demand(attachmentCan.remove({ createdBy }, meOf(by), state), 403, NOT_YOUR_FILE)
    },
  }
}

/** The incident of a record that files are attached to, where the caller may see it. */
async function incidentOf(
  db: OrgDb,
  by: Acting,
  { parentType, parentId }: Parent,
  hold?: 'change',
): Promise<IncidentWithTargets> {
  if (parentType === 'INCIDENT') return opened(db, by, parentId, hold)
  const incidentId = await findIncidentOfActivity(db, parentId)
  if (!incidentId) throw notFound('This task or update')
  const incident = await opened(db, by, incidentId, hold)
  // The record may have been deleted while the lock was waited for.
  if (hold && !(await findIncidentOfActivity(db, parentId))) throw notFound('This task or update')
  return incident
}
