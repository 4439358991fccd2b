import * as z from 'zod/mini'

/**
 * Whether a number lost its digits in a spreadsheet: 1.4165E+10, or 14165550123.0. What it was nobody can tell.
 */
export const isRoundedNumber = (cell: string): boolean =>
  /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i.test(cell.trim()) || /^[+-]?\d{5,}[.,]0+$/.test(cell.trim())
export const roundedPhone = (written: string, row: number): string =>
  `The phone number (${written}) in row ${row} was rounded by a spreadsheet. Format its column as text and write it again.`

/** Adds the number of a row in its file to a sentence. */
export const inRow = (sentence: string, row: number): string =>
  `${sentence.replace(/\.$/, '')} (in row ${row}).`

/** A column of the CSV files of one import. */
export interface CsvColumn<Cell extends z.ZodMiniType = z.ZodMiniType> {
  readonly heading: string
  /** The field of a row that is sent. */
  readonly cell: Cell
  /** Makes the field of a cell's text, where it is not the text itself. */
  readonly read?: (text: string) => z.output<Cell>
}
/** The columns of an import by the fields of its rows, in the order of the template. */
export type CsvColumns = { readonly [field: string]: CsvColumn }

export const headingsOf = (columns: CsvColumns): string[] =>
  Object.values(columns).map(({ heading }) => heading)

export const csvFieldsOf = <Columns extends CsvColumns>(columns: Columns): (keyof Columns & string)[] =>
  Object.keys(columns)

type Cells<Columns extends CsvColumns> = { [F in keyof Columns]: Columns[F]['cell'] }
/** The schemas of a row's fields. */
export const cellsOf = <Columns extends CsvColumns>(columns: Columns): Cells<Columns> =>
  // `Object.fromEntries` keeps no names of keys in its type.
  Object.fromEntries(Object.entries(columns).map(([field, { cell }]) => [field, cell])) as Cells<Columns>

type CsvRow<Columns extends CsvColumns> = { [F in keyof Columns]: NonNullable<z.output<Columns[F]['cell']>> }
/**
 * Makes a row of the cells of a file.
 * @param texts in the order of the columns; a cell that is missing is empty
 */
export const rowOf = <Columns extends CsvColumns>(
  columns: Columns,
  texts: readonly string[],
): CsvRow<Columns> =>
  // As above.
  Object.fromEntries(
    Object.entries(columns).map(([field, { read = (text: string) => text }], index) => [
      field,
      read(texts[index] ?? ''),
    ]),
  ) as CsvRow<Columns>
