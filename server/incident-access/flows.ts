import type { Me } from '#contract/incidents/rules.ts'
import {
  findIncident,
  holdIncident,
  type IncidentWithPeople,
  type PersonRow,
  type Viewer,
} from '#server/incidents/store.ts'
import type { OrgDb } from '#server/kit/db.ts'
import { notFound } from '#server/kit/refusal.ts'
import type { Caller } from '#server/kit/serve.ts'

/** Who acts, as far as incidents need to know. */
export type Acting = Pick<Caller, 'kind' | 'id' | 'name' | 'role' | 'type' | 'config'>

export const RESOLVED = 'This incident is resolved.'

export const viewerOf = (by: Acting): Viewer => ({ id: by.id, onlyTargeted: by.type === 'EXTERNAL' })
/** An API key acts for the organisation and counts as an administrator of its incidents. */
export const meOf = (by: Acting): Me => ({ email: by.name, role: by.kind === 'key' ? 'ADMIN' : by.role })
export const stateOf = (incident: { is_active: boolean }) => ({ isActive: incident.is_active })

/** External people who may hear of what happens to an incident. */
export const externalsOf = (people: readonly Pick<PersonRow, 'type' | 'id'>[]): string[] =>
  people.filter(({ type }) => type === 'EXTERNAL').map(({ id }) => id)
export const targetedExternals = (incident: IncidentWithPeople): string[] =>
  externalsOf(incident.targets.map(({ user_id, type }) => ({ id: user_id, type })))

/** Finds an incident that the caller may see; held first where something is about to change. */
export async function opened(db: OrgDb, by: Acting, id: string, hold?: 'change' | 'read') {
  if (hold) await holdIncident(db, id, hold)
  const incident = await findIncident(db, viewerOf(by), id)
  if (!incident) throw notFound('This incident')
  return incident
}
