import type { Acting } from '#server/incidents/access.flows.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { notFound } from '#server/kit/http/refusal.ts'

/** A playbook as far as its files need to know it. */
export interface OpenedPlaybook {
  readonly id: string
}

/**
 * Finds a playbook that the caller may see, and locks it when it is about to change. No noun holds playbooks yet, so
 * this always refuses. A noun of playbooks implements it; its files can then be added, listed, fetched, deleted and
 * copied into incidents.
 * @throws Refusal 404 for a playbook that the caller does not see, 403 when they may not change it
 */
// oxlint-disable-next-line typescript/require-await -- who finds one asks the database
export async function openedPlaybook(
  _db: OrgDb,
  _by: Acting,
  _id: string,
  _hold?: 'change',
): Promise<OpenedPlaybook> {
  throw notFound('This playbook')
}
