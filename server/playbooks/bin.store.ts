import { sql } from 'kysely'

import type { PlaybookSummary } from '#contract/playbooks/schema.ts'
import type { OrgDb, ProviderDb } from '#server/kit/database/db.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { pageOf } from '#server/kit/http/lists.ts'

import { SUMMARY } from './store.ts'

/** A playbook in the bin. */
export type BinnedRow = PlaybookSummary & { readonly deletedBy: string; readonly deleteTimestamp: string }

const binned = (db: OrgDb) =>
  db
    .selectFrom('playbooks')
    .select(SUMMARY)
    .select(sql<string>`deleted_by`.as('deletedBy'))
    .select(sql<string>`delete_timestamp`.as('deleteTimestamp'))
    .where('delete_timestamp', 'is not', null)

/** The bin, last deleted first unless a sort is given. */
export const listBinned = (
  db: OrgDb,
  direction: 'ASC' | 'DESC' = 'DESC',
  range?: readonly [number, number],
): Promise<Page<BinnedRow>> =>
  pageOf(
    binned(db)
      .orderBy('delete_timestamp', direction === 'ASC' ? 'asc' : 'desc')
      .orderBy('id'),
    range,
  )

/** A playbook in the bin, locked until the transaction ends. */
export const holdBinned = (db: OrgDb, id: string): Promise<BinnedRow | undefined> =>
  binned(db).where('id', '=', id).forUpdate().executeTakeFirst()

/** Moves a playbook into the bin, or back out of it with null. */
export async function updateDeleted(
  db: OrgDb,
  id: string,
  deleted: { readonly at: string; readonly by: string } | null,
): Promise<void> {
  await db
    .updateTable('playbooks')
    .set({ delete_timestamp: deleted?.at ?? null, deleted_by: deleted?.by ?? null })
    .where('id', '=', id)
    .execute()
}

export async function deletePlaybook(db: OrgDb, id: string): Promise<void> {
  await db.deleteFrom('playbooks').where('id', '=', id).execute()
}

/** Playbooks of all organisations that one round deletes for good. */
const EXPIRED_AT_ONCE = 1_000
/** Playbooks deleted before a time, the oldest first. */
export async function listExpired(
  db: ProviderDb,
  before: string,
): Promise<{ organisationId: string; id: string }[]> {
  const { rows } = await sql<{ organisationId: string; id: string }>`
    select p.organisation_id as "organisationId", p.id from playbooks p
      join organisations o on o.id = p.organisation_id and not o.is_closed
     where p.delete_timestamp < ${before} order by p.delete_timestamp limit ${EXPIRED_AT_ONCE}`.execute(db)
  return rows
}
