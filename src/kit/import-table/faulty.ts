import type { TableFault } from '#contract/kit/table.ts'
import type { TextKey } from '#providers/i18nProvider.ts'

import type { TableRefusal } from './tableFile.ts'

/** A refused file: sentences of the contract, or texts of the catalogue with a hint below. */
export type Refused =
  | { readonly sentences: readonly string[] }
  | {
      readonly text: TextKey
      readonly hint?: TextKey
      readonly row?: number | undefined
      /** Names of what is missing. */
      readonly missing?: readonly string[]
    }

/** Number of rows in a file, and the messages about it. */
export interface RowLimits {
  readonly most: number
  readonly empty: string
  readonly tooMany: string
}

const FAULTS: { readonly [F in Exclude<TableFault, 'EMPTY'>]: { text: TextKey; hint?: TextKey } } = {
  NOT_A_TABLE: { text: 'tableImport.notCsv', hint: 'tableImport.kindsHint' },
  QUOTES: { text: 'tableImport.notRead', hint: 'tableImport.quotesHint' },
  TOO_LARGE: { text: 'tableImport.notRead', hint: 'tableImport.largeHint' },
  PASSWORD: { text: 'tableImport.notRead', hint: 'tableImport.passwordHint' },
  UNREADABLE: { text: 'tableImport.notRead' },
}
export const refusedFile = ({ fault, row }: TableRefusal, { empty }: RowLimits): Refused =>
  fault === 'EMPTY' ? { sentences: [empty] } : { ...FAULTS[fault], row }

/** A row of people with its cells in the order of the template. */
export interface TableRow {
  /** Number of the row in its file. */
  readonly row: number
  readonly cells: readonly string[]
}
/** A file with rows that cannot be imported. */
export interface Faulty<Read> {
  /** Name of the file. */
  readonly name: string
  /** Error messages without duplicates. */
  readonly sentences: readonly string[]
  readonly headings: readonly string[]
  /** Rows with their errors. */
  readonly rows: readonly (TableRow & { readonly problems: readonly string[] })[]
  /** Number of all rows. */
  readonly count: number
  /** The file without the faulty rows; undefined if nothing is left. */
  readonly rest: Read | undefined
}

/** Separates the faulty rows. */
export function faultyOf<Row extends TableRow, Read>(
  name: string,
  found: readonly Row[],
  problems: readonly { readonly index: number; readonly message: string }[],
  headings: readonly string[],
  readRest: (rows: readonly Row[]) => Read,
): Faulty<Read> {
  const byRow = Map.groupBy(problems, ({ index }) => index)
  const good = found.filter((_, index) => !byRow.has(index))
  return {
    name,
    // One sentence may apply to two values of a row.
    sentences: [...new Set(problems.map(({ message }) => message))],
    headings,
    rows: [...byRow].map(([index, its]) => ({
      ...found[index]!,
      problems: [...new Set(its.map(({ message }) => message))],
    })),
    count: found.length,
    rest: good.length > 0 ? readRest(good) : undefined,
  }
}
