import { sql } from 'kysely'

import type { PlaybookExport, PlaybookExportType } from '#contract/playbook-exports/schema.ts'
import { type ColumnsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

export interface ExportRow extends PlaybookExport {
  /** The person's id. */
  requestedBy: string
  type: PlaybookExportType
  playbookIds: string[]
  tries: number
  updateTimestamp: string
  fileName: string | null
  blobId: string | null
}
const FIELDS = [
  'id',
  'requestedBy',
  'type',
  'playbookIds',
  'state',
  'progress',
  'tries',
  'fileName',
  'blobId',
  'createTimestamp',
  'updateTimestamp',
  'expireTimestamp',
] as const satisfies readonly (keyof ExportRow)[]

declare module '#server/kit/database/db.ts' {
  interface Tables {
    playbook_exports: ColumnsOf<ExportRow>
  }
}

export async function insertExport(db: OrgDb, row: ExportRow): Promise<void> {
  await db.insertInto('playbook_exports').values(valuesOf(row)).execute()
}

export const findExport = (db: OrgDb, id: string): Promise<ExportRow | undefined> =>
  db.selectFrom('playbook_exports').select(selectionOf(FIELDS)).where('id', '=', id).executeTakeFirst()

/** Updates an export that is being made. Returns whether it still is. */
export async function updateExport(
  db: OrgDb,
  id: string,
  changes: Partial<Omit<ExportRow, 'id'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('playbook_exports')
    .set(valuesOf(changes))
    .where('id', '=', id)
    .where('state', '=', 'MAKING')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** How many of the playbooks there are. */
export async function countPlaybooks(db: OrgDb, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from playbooks where id = any(${ids}::uuid[])`.execute(db)
  return rows[0]!.count
}
