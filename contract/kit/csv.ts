import * as z from 'zod/mini'

/** True for a number that a spreadsheet has rounded: 1.4165E+10, or 14165550123.0. Its digits are lost. */
export const isRoundedNumber = (cell: string): boolean =>
  /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i.test(cell.trim()) || /^[+-]?\d{5,}[.,]0+$/.test(cell.trim())
export const roundedPhone = (written: string, row: number): string =>
  `The phone number (${written}) in row ${row} was rounded by a spreadsheet. Format its column as text and write it again.`

/** Adds the row's number in its file to a sentence. */
export const inRow = (sentence: string, row: number): string =>
  `${sentence.replace(/\.$/, '')} (in row ${row}).`

/** A column in the CSV files of an import. */
export interface CsvColumn<Cell extends z.ZodMiniType = z.ZodMiniType> {
  readonly heading: string
  /** Schema of the field. */
  readonly cell: Cell
  /** Converts a cell's text to the field; by default the text itself. */
  readonly read?: (text: string) => z.output<Cell>
  /** A column that the template lacks and a file may have. Optional columns come last. */
  readonly isOptional?: true
}
/** Columns of an import by field of its rows, in the order of the template. */
export type CsvColumns = { readonly [field: string]: CsvColumn }

/** Headings of the template, which every file has. */
export const headingsOf = (columns: CsvColumns): string[] =>
  Object.values(columns).flatMap(({ heading, isOptional }) => (isOptional ? [] : [heading]))
export const optionalHeadingsOf = (columns: CsvColumns): string[] =>
  Object.values(columns).flatMap(({ heading, isOptional }) => (isOptional ? [heading] : []))

export const csvFieldsOf = <Columns extends CsvColumns>(columns: Columns): (keyof Columns & string)[] =>
  Object.keys(columns)

type Cells<Columns extends CsvColumns> = { [F in keyof Columns]: Columns[F]['cell'] }
export const cellsOf = <Columns extends CsvColumns>(columns: Columns): Cells<Columns> =>
  // `Object.fromEntries` loses the keys in its type.
  Object.fromEntries(Object.entries(columns).map(([field, { cell }]) => [field, cell])) as Cells<Columns>

type CsvRow<Columns extends CsvColumns> = { [F in keyof Columns]: NonNullable<z.output<Columns[F]['cell']>> }
/**
 * Converts the cells of a row.
 * @param texts in the order of the columns; a missing cell is empty
 */
export const rowOf = <Columns extends CsvColumns>(
  columns: Columns,
  texts: readonly string[],
): CsvRow<Columns> =>
  // `Object.fromEntries` loses the keys in its type.
  Object.fromEntries(
    Object.entries(columns).map(([field, { read = (text: string) => text }], index) => [
      field,
      read(texts[index] ?? ''),
    ]),
  ) as CsvRow<Columns>
