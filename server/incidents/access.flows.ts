import type { Me } from '#contract/incidents/rules.ts'
import { FIELD_WORDS } from '#contract/incidents/schema.ts'
import { ownLabel } from '#server/incident-fields/sentences.content.ts'
import { findIncident, type IncidentWithTargets } from './reading.store.ts'
import { holdIncident, type PersonRow } from './store.ts'
import { listLatestChanges } from './history.store.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { notFound, stale } from '#server/kit/core/refusal.ts'
import type { Acting } from '#server/kit/http/serve.ts'

export const RESOLVED = 'This incident is resolved.'

/** An API key acts for the organisation and counts as an administrator of its incidents. */
export const meOf = (by: Acting): Me => ({ email: by.name, role: by.kind === 'key' ? 'ADMIN' : by.role })
export const stateOf = (incident: { isActive: boolean }) => ({ isActive: incident.isActive })

/** External people who may receive an incident's events. */
export const externalsOf = (people: readonly Pick<PersonRow, 'type' | 'id'>[]): string[] =>
  people.filter(({ type }) => type === 'EXTERNAL').map(({ id }) => id)
export const targetedExternals = (incident: IncidentWithTargets): string[] =>
  externalsOf(incident.targets.map(({ userId, type }) => ({ id: userId, type })))

/** Finds an incident that the caller may see; locks it first with `hold`. */
export async function opened(db: OrgDb, by: Acting, id: string, hold?: 'change' | 'read') {
  if (hold) await holdIncident(db, id, hold)
  const incident = await findIncident(db, id)
  if (!incident) throw notFound('This incident')
  return incident
}

/** Number of latest changes that are searched for conflicts. */
const LATEST_MAX = 50

/** The refusal of a stale save: names who changed which fields since its version. */
export async function staleSince(
  db: OrgDb,
  noun: 'incidents' | 'activities',
  record: string,
  versions: { readonly read: number; readonly now: number },
) {
  const passed = Math.min(Math.max(versions.now - versions.read, 1), LATEST_MAX)
  const latest = await listLatestChanges(db, noun, record, passed)
  const who = new Set(latest.map(({ actor }) => actor.name))
  const fields = latest.flatMap(({ changes }) => Object.keys(changes))
  return stale([...who], [...new Set(fields.map((field) => FIELD_WORDS[field] ?? ownLabel(field)))])
}
