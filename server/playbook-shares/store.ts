import { sql } from 'kysely'

import type { ShareResult } from '#contract/playbook-shares/schema.ts'
import { type ColumnsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    playbook_shares: ColumnsOf<ShareRow>
    playbook_share_copies: ColumnsOf<ShareResult> & { share_id: string; position: number }
  }
}

export interface ShareRow {
  id: string
  requestedBy: string
  createTimestamp: string
  doneTimestamp: string | null
}
/** Key of one copy of a share. */
export type CopyKey = Readonly<Pick<ShareResult, 'playbookId' | 'enterpriseId'>>

const COPY = [
  'playbookId',
  'playbookName',
  'enterpriseId',
  'enterpriseName',
  'outcome',
  'message',
] as const satisfies readonly (keyof ShareResult)[]

export async function insertShare(db: OrgDb, row: ShareRow): Promise<void> {
  await db.insertInto('playbook_shares').values(valuesOf(row)).execute()
}

/** Inserts the copies of a share, in the order in which they are carried out. */
export async function insertCopies(
  db: OrgDb,
  shareId: string,
  copies: readonly Pick<ShareResult, (typeof COPY)[number]>[],
): Promise<void> {
  await sql`insert into playbook_share_copies
      (share_id, position, playbook_id, playbook_name, enterprise_id, enterprise_name, outcome)
    select ${shareId}, position, playbook_id, playbook_name, enterprise_id, enterprise_name, 'WAITING'
      from unnest(${copies.map(({ playbookId }) => playbookId)}::uuid[],
        ${copies.map(({ playbookName }) => playbookName)}::text[],
        ${copies.map(({ enterpriseId }) => enterpriseId)}::uuid[],
        ${copies.map(({ enterpriseName }) => enterpriseName)}::text[])
      with ordinality as given (playbook_id, playbook_name, enterprise_id, enterprise_name, position)`.execute(
    db,
  )
}

export const findShare = (db: OrgDb, id: string): Promise<ShareRow | undefined> =>
  db
    .selectFrom('playbook_shares')
    .select(selectionOf(['id', 'requestedBy', 'createTimestamp', 'doneTimestamp']))
    .where('id', '=', id)
    .executeTakeFirst()

const selectCopies = (db: OrgDb, shareId: string) =>
  db
    .selectFrom('playbook_share_copies')
    .select(selectionOf(COPY))
    .where('share_id', '=', shareId)
    .orderBy('position')

/** The copies of a share in their order. */
export const listCopies = (db: OrgDb, shareId: string): Promise<ShareResult[]> =>
  selectCopies(db, shareId).execute()

/** The copies of a share that are not made yet. */
export const listWaiting = (db: OrgDb, shareId: string): Promise<ShareResult[]> =>
  selectCopies(db, shareId).where('outcome', '=', 'WAITING').execute()

/** Locks a copy until the transaction ends. Returns whether it is not made yet. */
export async function holdWaiting(
  db: OrgDb,
  shareId: string,
  { playbookId, enterpriseId }: CopyKey,
): Promise<boolean> {
  const row = await db
    .selectFrom('playbook_share_copies')
    .select('outcome')
    .where('share_id', '=', shareId)
    .where('playbook_id', '=', playbookId)
    .where('enterprise_id', '=', enterpriseId)
    .forUpdate()
    .executeTakeFirst()
  return row?.outcome === 'WAITING'
}

/** Stores the result of a copy; `message` is the reason of a failure. */
export async function updateCopy(
  db: OrgDb,
  shareId: string,
  { playbookId, enterpriseId }: CopyKey,
  message: string | null,
): Promise<void> {
  await db
    .updateTable('playbook_share_copies')
    .set({ outcome: message === null ? 'SHARED' : 'FAILED', message })
    .where('share_id', '=', shareId)
    .where('playbook_id', '=', playbookId)
    .where('enterprise_id', '=', enterpriseId)
    .execute()
}

/** Completes a share without remaining copies. Returns whether this call did it. */
export async function updateDone(db: OrgDb, shareId: string, at: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`update playbook_shares set done_timestamp = ${at}
    where id = ${shareId} and done_timestamp is null and not exists (
      select from playbook_share_copies where share_id = ${shareId} and outcome = 'WAITING')`.execute(db)
  return numAffectedRows > 0n
}
