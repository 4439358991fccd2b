import { sql } from 'kysely'

import type { ImportKind } from '#contract/import-columns/schema.ts'
import type { GoneAction, ImportReport, RowOutcome, UndoOutcome } from '#contract/imports/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import { type ColumnsOf, selectionOf, selectionText } from '#server/kit/database/columns.ts'
import { type OrgDb, unitOf } from '#server/kit/database/db.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { pageOf } from '#server/kit/http/lists.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    imports: ColumnsOf<ImportReport>
    import_rows: ColumnsOf<StoredRow> & { import_id: string; lists: string[] | null }
  }
}

/** A row of a file before it is imported: the values of a person, or a problem. */
export interface ReadRow {
  readonly n: number
  /** Number of the row in its file. */
  readonly row: number | null
  readonly email: string
  /** The values that the file has; missing ones stay unchanged. */
  readonly values?: object
  /** Keys of contact lists. */
  readonly lists?: readonly string[]
  readonly message?: string
}

type Values = { readonly [field: string]: string | boolean | readonly string[] | null }
/** A row of a report. */
export interface StoredRow {
  readonly n: number
  readonly rowNumber: number | null
  /** Unchanged rows are deleted at the end of their import. */
  readonly outcome: RowOutcome | 'UNCHANGED'
  readonly email: string
  readonly recordId: string | null
  /** Fields with another value, as they were. */
  readonly before: Values | null
  /** The same fields as the import left them; all fields of an added person. */
  readonly after: Values | null
  readonly message: string | null
  readonly undo: UndoOutcome | null
}

const REPORT = [
  'id',
  'kind',
  'source',
  'fileName',
  'createTimestamp',
  'actor',
  'added',
  'changed',
  'unchanged',
  'gone',
  'problems',
  'goneAction',
  'undoTimestamp',
  'undoneBy',
  'notUndone',
] as const satisfies readonly (keyof ImportReport)[]
const ROW = ['n', 'rowNumber', 'outcome', 'email', 'recordId', 'before', 'after', 'message', 'undo'] as const

/** Name of the caller, as reports show it; null for the system. */
const actorOf = (db: OrgDb): string | null => {
  const { kind, name } = unitOf(db).actor
  return kind === 'system' ? null : name
}

/** The beginning of an import. */
export interface NewReport {
  readonly kind: ImportKind
  /** Null for an import from a screen. */
  readonly source: string | null
  /** Empty where it is not known. */
  readonly fileName: string
  readonly goneAction: GoneAction
}
/** Adds an empty report. Returns its id. */
export async function insertReport(db: OrgDb, report: NewReport): Promise<string> {
  const { id } = await db
    .insertInto('imports')
    .values({
      id: crypto.randomUUID(),
      kind: report.kind,
      source: report.source,
      file_name: report.fileName,
      create_timestamp: clock.timestamp(),
      actor: actorOf(db),
      added: 0,
      changed: 0,
      unchanged: 0,
      gone: 0,
      problems: 0,
      gone_action: report.goneAction,
      undo_timestamp: null,
      undone_by: null,
      not_undone: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Adds rows to a report. */
export async function insertRows(
  db: OrgDb,
  importId: string,
  rows: readonly Omit<StoredRow, 'undo'>[],
): Promise<void> {
  await sql`insert into import_rows (import_id, n, row_number, outcome, email, record_id, before, after, message)
    select ${importId}, r.n, r."rowNumber", r.outcome, r.email, r."recordId", r.before, r.after, r.message
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (n integer, "rowNumber" integer, outcome text, email text,
      "recordId" uuid, before jsonb, after jsonb, message text)`.execute(db)
}

/** Counts the rows of a report and deletes those of unchanged people, who are in `unchanged` only. */
export async function finishReport(db: OrgDb, importId: string): Promise<ImportReport> {
  await sql`
    with counted as (
      select count(*) filter (where outcome = 'ADDED') as added, count(*) filter (where outcome = 'CHANGED') as changed,
        count(*) filter (where outcome = 'UNCHANGED') as unchanged, count(*) filter (where outcome = 'GONE') as gone,
        count(*) filter (where outcome = 'PROBLEM') as problems
      from import_rows where import_id = ${importId}
    )
    update imports i set added = c.added, changed = c.changed, unchanged = c.unchanged, gone = c.gone, problems = c.problems
    from counted c where i.id = ${importId}`.execute(db)
  await sql`delete from import_rows where import_id = ${importId} and outcome = 'UNCHANGED'`.execute(db)
  return (await findReport(db, importId))!
}

/** Notes that a report was undone, and how many rows were not, or only in part. */
export async function updateUndone(db: OrgDb, importId: string): Promise<void> {
  await sql`update imports set undo_timestamp = ${clock.timestamp()}, undone_by = ${actorOf(db)}, not_undone = (
      select count(*) from import_rows where import_id = ${importId} and undo <> 'UNDONE')
    where id = ${importId}`.execute(db)
}

export const findReport = (db: OrgDb, id: string): Promise<ImportReport | undefined> =>
  db.selectFrom('imports').select(selectionOf(REPORT)).where('id', '=', id).executeTakeFirst()

/** A report, locked until the transaction ends. */
export const holdReport = (db: OrgDb, id: string): Promise<ImportReport | undefined> =>
  db.selectFrom('imports').select(selectionOf(REPORT)).where('id', '=', id).forUpdate().executeTakeFirst()

type Range = readonly [first: number, last: number] | undefined
export const listReports = (
  db: OrgDb,
  { kinds, isOldestFirst, range }: { kinds: readonly ImportKind[]; isOldestFirst: boolean; range: Range },
): Promise<Page<ImportReport>> =>
  pageOf(
    db
      .selectFrom('imports')
      .select(selectionOf(REPORT))
      .where('kind', '=', sql<ImportKind>`any(${kinds}::text[])`)
      .orderBy('create_timestamp', isOldestFirst ? 'asc' : 'desc')
      .orderBy('id'),
    range,
  )

/** Conditions on the rows of a report. */
export interface RowFilter {
  readonly outcome?: RowOutcome | undefined
  /** True for the rows that could not be undone, or only in part. */
  readonly isKept?: boolean | undefined
  /** Part of an email address. */
  readonly q?: string | undefined
}
export const listRows = (
  db: OrgDb,
  importId: string,
  { outcome, isKept, q }: RowFilter,
  range: Range,
): Promise<Page<StoredRow>> =>
  pageOf(
    db
      .selectFrom('import_rows')
      .select(selectionOf(ROW))
      .where('import_id', '=', importId)
      .$if(outcome !== undefined, (rows) => rows.where('outcome', '=', outcome!))
      .$if(isKept === true, (rows) => rows.where('undo', '<>', 'UNDONE'))
      .$if(isKept === false, (rows) => rows.where('undo', '=', 'UNDONE'))
      .$if(q !== undefined, (rows) =>
        rows.where(sql<boolean>`position(${q!.trim().toLowerCase()} in email) > 0`),
      )
      .orderBy('n'),
    range,
  )

/** The next rows of a report after a position, in their order. */
export async function listRowsAfter(
  db: OrgDb,
  importId: string,
  after: number,
  limit: number,
): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`select ${sql.raw(selectionText(ROW))} from import_rows
    where import_id = ${importId} and n > ${after} order by n limit ${limit}`.execute(db)
  return rows
}

/** Stores the results of undoing rows. */
export async function updateRowsUndone(
  db: OrgDb,
  importId: string,
  results: readonly { readonly n: number; readonly undo: UndoOutcome }[],
): Promise<void> {
  await sql`update import_rows r set undo = d.undo
    from unnest(${results.map(({ n }) => n)}::integer[], ${results.map(({ undo }) => undo)}::text[]) as d (n, undo)
    where r.import_id = ${importId} and r.n = d.n`.execute(db)
}
