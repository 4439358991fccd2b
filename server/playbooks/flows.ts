import type { Acting } from '#server/incidents/access.flows.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { notFound } from '#server/kit/http/refusal.ts'

/** A playbook as far as its files need to know it. */
export interface OpenedPlaybook {
  readonly id: string
}

/**
 * Finds a playbook that the caller may see; held, and only for those who may change it, where something about it is to
 * change. No noun holds any playbooks yet, so there is none to be found. Whatever does, answers here: then their files
 * can be added, listed, fetched, deleted and copied into incidents.
 * @throws Refusal 404 for one that the caller does not see, 403 where they may not change it
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
