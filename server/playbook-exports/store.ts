import { sql } from 'kysely'

import type { PlaybookExportType } from '#contract/playbook-exports/schema.ts'
import { type ColumnsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { ARCHIVE_FIELDS, type ArchiveRow } from '#server/kit/jobs/archives.ts'

export interface ExportRow extends ArchiveRow {
  type: PlaybookExportType
  playbookIds: string[]
}
const FIELDS = [...ARCHIVE_FIELDS, 'type', 'playbookIds'] as const satisfies readonly (keyof ExportRow)[]

declare module '#server/kit/database/db.ts' {
  interface Tables {
    playbook_exports: ColumnsOf<ExportRow>
  }
}

export const exportStore = {
  insert: async (db: OrgDb, row: ExportRow): Promise<void> =>
    void (await db.insertInto('playbook_exports').values(valuesOf(row)).execute()),
  find: (db: OrgDb, id: string): Promise<ExportRow | undefined> =>
    db.selectFrom('playbook_exports').select(selectionOf(FIELDS)).where('id', '=', id).executeTakeFirst(),
  update: async (db: OrgDb, id: string, changes: Partial<ArchiveRow>): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('playbook_exports')
      .set(valuesOf(changes))
      .where('id', '=', id)
      .where('state', '=', 'MAKING')
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
}

/** Counts those of the playbooks that are published and not in the bin. */
export async function countPlaybooks(db: OrgDb, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from playbooks where id = any(${ids}::uuid[])
       and is_published and delete_timestamp is null`.execute(db)
  return rows[0]!.count
}
