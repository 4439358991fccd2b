import { CSV_FORMULA } from '#contract/kit/files.ts'
import { saveFile } from '../browser/saveFile.ts'

import type { Faulty } from './faulty.ts'

/**
 * Saves the faulty rows as a CSV file: number, errors and values of each. Once corrected, it can be imported
 * as it is, because imports ignore unknown columns.
 * @param columns headings of the first two columns
 */
export async function saveProblems(
  { name, headings, rows }: Faulty<unknown>,
  columns: readonly [row: string, problem: string],
): Promise<void> {
  const { default: Papa } = await import('papaparse')
  const fields = [...columns, ...headings]
  const data = rows.map(({ row, problems, cells }) => [row, problems.join(' '), ...cells])
  const csv = Papa.unparse({ fields, data }, { escapeFormulae: CSV_FORMULA })
  // The byte order mark tells spreadsheets the encoding.
  const blob = new Blob(['\uFEFF', csv], { type: 'text/csv;charset=utf-8' })
  saveFile(blob, name.replace(/(?:\.\w{1,5})?$/, '-problems.csv'))
}
