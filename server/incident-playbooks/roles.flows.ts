import type { EventContext } from '#server/incidents/activities.flows.ts'
import type { NamedRole } from '#server/incidents/roles.flows.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { runHook } from '#server/kit/database/hooks.ts'
import type { Acting } from '#server/kit/http/serve.ts'

import { upsertRoles } from './roles.store.ts'

declare module '#server/kit/database/hooks.ts' {
  interface Hooks {
    /** Ideal titles got another person, as the answers to a playbook say. */
    holdersNamed: { readonly incident: EventContext; readonly changed: readonly NamedHolder[] }
  }
}
/** A title with its person, and the former one. */
export interface NamedHolder extends NamedRole {
  readonly formerUserId: string | null
}

/** Keeps the people that the answers to a playbook name for ideal titles. */
export async function nameHolders(
  db: OrgDb,
  by: Pick<Acting, 'name'>,
  incident: EventContext,
  roles: readonly NamedRole[],
): Promise<void> {
  const changed = await upsertRoles(db, incident.id, roles, { by, at: incident.at })
  if (changed.length > 0) await runHook(db, 'holdersNamed', { incident, changed })
}
