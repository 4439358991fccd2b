import type { OrgDb } from '#server/kit/database/db.ts'
import { notFound } from '#server/kit/core/refusal.ts'
import type { Acting } from '#server/kit/http/serve.ts'

import { hasPlaybook, holdPlaybook } from './store.ts'

/** Name of a playbook in refusals. */
export const PLAYBOOK = 'This playbook'

/** The part of a playbook that its files need. */
export interface HeldPlaybook {
  readonly id: string
}

/**
 * Finds a playbook that the caller may see, and locks it when it is about to change. External people see none.
 * @throws Refusal 404
 */
export async function openedPlaybook(
  db: OrgDb,
  by: Acting,
  id: string,
  hold?: 'change',
): Promise<HeldPlaybook> {
  const isFound = by.type !== 'EXTERNAL' && (await (hold ? holdPlaybook : hasPlaybook)(db, id))
  if (!isFound) throw notFound(PLAYBOOK)
  return { id }
}
