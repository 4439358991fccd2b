import { EDITING_TIMEOUT, type PlaybookEditor } from '#contract/playbooks/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { demand } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'

import { openedPlaybook } from './access.flows.ts'
import { deleteEditor, deleteSilent, listOthers, upsertEditor } from './editors.store.ts'

interface Opened {
  readonly id: string
  readonly editorId: string
}
const recordEditor = (db: OrgDb, { id, editorId }: Opened, verb: 'opened' | 'closed') =>
  record(db, { noun: 'playbook-editors', record: editorId, parent: id, verb })

/**
 * Notes that an editor of a playbook is open. Only an editor's first call is an event; repeated calls keep it alive.
 * @throws Refusal 403 for an API key, 404
 */
export async function noteEditing(
  db: OrgDb,
  caller: Caller,
  opened: Opened,
): Promise<{ editors: PlaybookEditor[] }> {
  demand(caller.kind === 'person', 403, 'Only people edit playbooks.')
  await openedPlaybook(db, caller, opened.id)
  await deleteSilent(db, opened.id, new Date(clock.now() - EDITING_TIMEOUT).toISOString())
  const editor = { playbookId: opened.id, editorId: opened.editorId, userId: caller.id }
  if (await upsertEditor(db, editor, clock.timestamp())) recordEditor(db, opened, 'opened')
  return { editors: await listOthers(db, opened.id, caller.id) }
}

/** Closes an editor of the caller. An unknown editor is closed already. */
export async function endEditing(db: OrgDb, caller: Caller, opened: Opened): Promise<void> {
  await openedPlaybook(db, caller, opened.id)
  const editor = { playbookId: opened.id, editorId: opened.editorId, userId: caller.id }
  if (await deleteEditor(db, editor)) recordEditor(db, opened, 'closed')
}
