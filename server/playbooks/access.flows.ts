import { allows } from '#contract/kit/access.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { notFound } from '#server/kit/core/refusal.ts'
import type { Acting } from '#server/kit/http/serve.ts'

import { findPlaybookState, type PlaybookState } from './store.ts'

/** Name of a playbook in refusals. */
export const PLAYBOOK = 'This playbook'

/** True for people who write playbooks: only they see drafts. */
export const canWrite = (by: Acting): boolean =>
  allows({ ...playbooksAccess.write, realm: 'organisation' }, by)

/** The part of a playbook that its files need. */
export interface HeldPlaybook extends PlaybookState {
  readonly id: string
}

/**
 * Finds a playbook that the caller may see, and locks it when it is about to change. External people see none.
 * @throws Refusal 404, also for one that was never published unless the caller writes playbooks
 */
export async function openedPlaybook(
  db: OrgDb,
  by: Acting,
  id: string,
  hold?: 'change',
): Promise<HeldPlaybook> {
  const state = by.type === 'EXTERNAL' ? undefined : await findPlaybookState(db, id, hold)
  if (!state || !(state.isPublished || canWrite(by))) throw notFound(PLAYBOOK)
  return { id, ...state }
}
