import { sql } from 'kysely'

import type { ImportKind } from '#contract/import-columns/schema.ts'
import type { Columns } from '#contract/kit/person-table.ts'
import { clock } from '#server/kit/core/clock.ts'
import { json } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    import_columns: { kind: ImportKind; headings: string; columns: Columns; update_timestamp: string }
  }
}

/** Assignments that an organisation keeps of a kind; the oldest ones go. */
const KEPT = 200

export async function columnsOf(db: OrgDb, kind: ImportKind, headings: string): Promise<Columns | null> {
  const row = await db
    .selectFrom('import_columns')
    .select('columns')
    .where('kind', '=', kind)
    .where('headings', '=', headings)
    .executeTakeFirst()
  return row?.columns ?? null
}

/** All assignments of a kind, by the key of their headings. */
export async function listColumns(db: OrgDb, kind: ImportKind): Promise<{ [headings: string]: Columns }> {
  const rows = await db
    .selectFrom('import_columns')
    .select(['headings', 'columns'])
    .where('kind', '=', kind)
    .execute()
  return Object.fromEntries(rows.map(({ headings, columns }) => [headings, columns]))
}

export async function keepColumns(
  db: OrgDb,
  kind: ImportKind,
  headings: string,
  columns: Columns,
): Promise<void> {
  await sql`insert into import_columns (kind, headings, columns, update_timestamp)
    values (${kind}, ${headings}, ${json(columns)}, ${clock.timestamp()})
    on conflict (organisation_id, kind, headings) do update
    set columns = excluded.columns, update_timestamp = excluded.update_timestamp`.execute(db)
  await sql`delete from import_columns where kind = ${kind} and headings in (
    select headings from import_columns where kind = ${kind}
    order by update_timestamp desc, headings offset ${KEPT})`.execute(db)
}
