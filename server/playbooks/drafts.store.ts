import { sql } from 'kysely'

import type { DraftSummary, PlaybookContent } from '#contract/playbooks/schema.ts'
import { type ColumnsOf, json, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

import { inOrder } from './store.ts'

/** The draft of a playbook as stored. */
export interface DraftRow extends DraftSummary {
  playbookId: string
  /** The published version that the draft was begun with; 0 before the first publication. */
  baseVersion: number
  content: PlaybookContent
  ownerId: string | null
  reviewDate: string | null
  /** Everybody who saved the draft. */
  authorIds: string[]
  returnedBy: string | null
  returnReason: string | null
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    playbook_drafts: ColumnsOf<DraftRow>
  }
}

const FIELDS = [
  'playbookId',
  'revision',
  'state',
  'baseVersion',
  'content',
  'ownerId',
  'savedBy',
  'savedTimestamp',
  'authorIds',
  'returnedBy',
  'returnReason',
] as const satisfies readonly (keyof DraftRow)[]

/** A draft with the email address of its owner. */
export type StoredDraft = DraftRow & { readonly owner: string | null }
export async function findDraft(db: OrgDb, playbookId: string): Promise<StoredDraft | undefined> {
  const row = await db
    .selectFrom('playbook_drafts')
    .select(selectionOf(FIELDS))
    // As text, because the driver reads a date as midnight in the server's time zone.
    .select(sql<string | null>`review_date::text`.as('reviewDate'))
    .select(sql<string | null>`(select u.email from users u where u.id = owner_id)`.as('owner'))
    .where('playbook_id', '=', playbookId)
    .executeTakeFirst()
  return row && { ...row, content: { ...row.content, activities: row.content.activities.map(inOrder) } }
}

/** Stores the draft of a locked playbook in the place of its last one. */
export async function upsertDraft(db: OrgDb, row: DraftRow): Promise<void> {
  const values = { ...valuesOf(row), content: json(row.content) }
  await db
    .insertInto('playbook_drafts')
    .values(values)
    .onConflict((conflict) => conflict.column('playbook_id').doUpdateSet(values))
    .execute()
}

export async function updateReturned(
  db: OrgDb,
  playbookId: string,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> {
  await db
    .updateTable('playbook_drafts')
    .set({ state: 'RETURNED', returned_by: by, return_reason: reason })
    .where('playbook_id', '=', playbookId)
    .execute()
}

export async function deleteDraft(db: OrgDb, playbookId: string): Promise<void> {
  await db.deleteFrom('playbook_drafts').where('playbook_id', '=', playbookId).execute()
}

/** Moves the draft of a published playbook along with it. The move is a version that the draft then includes. */
export async function updateDraftCategory(
  db: OrgDb,
  playbookId: string,
  categoryId: string | null,
  version: number,
): Promise<void> {
  await sql`
    update playbook_drafts
       set content = jsonb_set(content, '{categoryId}', ${JSON.stringify(categoryId)}::jsonb),
           base_version = case when base_version = ${version} then ${version + 1} else base_version end
     where playbook_id = ${playbookId}`.execute(db)
}
