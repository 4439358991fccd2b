import { CSV_FORMULA } from '#contract/kit/files.ts'
import { saveFile } from '../browser/saveFile.ts'

import type { Faulty } from './readCsv.ts'

/**
 * Saves the rows with problems as a CSV file: the number of each, what is wrong with it, and its values. Put right, it can
 * be imported as it is: columns that an import does not know are left aside.
 * @param columns what the first two columns are called
 */
export async function saveProblems(
  { name, headings, rows }: Faulty<unknown>,
  columns: readonly [row: string, problem: string],
): Promise<void> {
  const { default: Papa } = await import('papaparse')
  const fields = [...columns, ...headings]
  const data = rows.map(({ row, problems, cells }) => [row, problems.join(' '), ...cells])
  const csv = Papa.unparse({ fields, data }, { escapeFormulae: CSV_FORMULA })
  // The mark at the start tells spreadsheets how its letters are written.
  const blob = new Blob(['\uFEFF', csv], { type: 'text/csv;charset=utf-8' })
  saveFile(blob, name.replace(/(?:\.csv)?$/i, '-problems.csv'))
}
