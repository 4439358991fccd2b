import {
  type Assignment,
  type Columns,
  foldedHeading,
  headingRowOf,
  headingsKey,
  peopleOf,
  type PersonFormat,
  type PersonRow,
  suggestColumns,
  unusedColumns,
  widthOf,
} from '#contract/kit/person-table.ts'
import type { Sheet, TableFile } from '#contract/kit/table.ts'

import type { Refused, RowLimits } from './faulty.ts'

/** The columns that the organisation assigned to the same headings before. */
export interface ColumnMemory {
  /** Null for headings that are new. */
  readonly recall: (key: string) => Promise<Columns | null>
  readonly keep: (key: string, columns: Columns) => Promise<unknown>
}

/** A file, and how a person wants it to be read. */
export interface TableChoice {
  readonly name: string
  readonly bytes: Uint8Array
  readonly table: TableFile
  /** Index of the sheet. */
  readonly sheet: number
  /** Index of the row of headings. */
  readonly headingRow: number
  readonly assignment: Assignment
}

export const sheetOf = ({ table, sheet }: TableChoice): Sheet => table.sheets[sheet]!
export const headingsOf = (choice: TableChoice): readonly string[] =>
  sheetOf(choice).rows[choice.headingRow] ?? []
export const rowsBelow = (choice: TableChoice): readonly (readonly string[])[] =>
  sheetOf(choice).rows.slice(choice.headingRow + 1)
/** Number of columns that can be assigned. */
export const columnCount = (choice: TableChoice): number =>
  Math.max(headingsOf(choice).length, widthOf(rowsBelow(choice)))

type Part = Pick<TableChoice, 'name' | 'bytes' | 'table'>
/** Reads a sheet from a row of headings with the columns that these suggest. */
function suggested(part: Part, sheet: number, headingRow: number, format: PersonFormat) {
  const empty: TableChoice = { ...part, sheet, headingRow, assignment: { columns: {}, list: '' } }
  const { assignment, isCertain } = suggestColumns(headingsOf(empty), rowsBelow(empty), format)
  return { choice: { ...empty, assignment }, isCertain }
}
export const withSheet = (part: Part, sheet: number, format: PersonFormat) =>
  suggested(part, sheet, headingRowOf(part.table.sheets[sheet]!.rows), format)
export const withHeadingRow = (choice: TableChoice, headingRow: number, format: PersonFormat): TableChoice =>
  suggested(choice, choice.sheet, headingRow, format).choice

export const keyOf = (choice: TableChoice): string => headingsKey(headingsOf(choice))

/** A choice with remembered columns, if all of them exist. */
export function withRemembered(choice: TableChoice, columns: Columns | null): TableChoice | null {
  if (!columns) return null
  const count = columnCount(choice)
  const isValid = Object.values(columns).every((column) => column === undefined || column < count)
  return isValid ? { ...choice, assignment: { ...choice.assignment, columns } } : null
}

/** The people of the file, or why it has none that can be imported. */
export function readRows(choice: TableChoice, { most, empty, tooMany }: RowLimits): PersonRow[] | Refused {
  const { rows } = sheetOf(choice)
  const people = peopleOf(rows, choice.headingRow, choice.assignment)
  if (people.length === 0) return { sentences: [empty] }
  if (people.length > most) return { sentences: [tooMany] }
  const width = headingsOf(choice).length
  const wide = rows.findIndex((row, index) => index > choice.headingRow && row.length > width)
  // In a text, a value without quotation marks was taken apart.
  if (choice.table.delimiter !== null && wide >= 0)
    return { text: 'tableImport.notRead', hint: 'tableImport.wideHint', row: wide + 1 }
  return people
}

/** Columns with values that no field takes. */
export const unusedOf = (choice: TableChoice): number[] =>
  unusedColumns(headingsOf(choice), rowsBelow(choice), choice.assignment.columns)

/** True if the headings of the assigned columns are those of the template. */
export function isTemplate(choice: TableChoice, template: readonly string[]): boolean {
  const names = new Set(template.map(foldedHeading))
  const headings = headingsOf(choice)
  return Object.values(choice.assignment.columns).every(
    (column) => column === undefined || names.has(foldedHeading(headings[column] ?? '')),
  )
}
