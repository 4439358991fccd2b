import type { CellValue } from 'read-excel-file/universal'

import { decodeText, demandUnpackable } from './previewValues.ts'

/** Pixels. */
export const ROW_HEIGHT = 28
const WIDTH_MIN = 72
const WIDTH_MAX = 360
const LETTER_WIDTH = 7.5
/** Rows by which the columns are measured. */
const MEASURED_ROWS = 300

export interface Sheet {
  readonly name: string
  readonly rows: readonly (readonly string[])[]
}

const MIDNIGHT = 'T00:00:00.000Z'
/** What a cell says. A date is written without its time where it has none. */
function cellText(value: CellValue | null): string {
  if (value === null) return ''
  if (!(value instanceof Date)) return String(value)
  if (Number.isNaN(value.getTime())) return ''
  const iso = value.toISOString()
  return iso.endsWith(MIDNIGHT) ? iso.slice(0, 10) : iso.slice(0, 16).replace('T', ' ')
}

async function readCsv(bytes: Uint8Array): Promise<Sheet[]> {
  const { default: papa } = await import('papaparse')
  const { data } = papa.parse<string[]>(decodeText(bytes), { skipEmptyLines: false })
  const last = data.findLastIndex((row) => row.some((cell) => cell !== ''))
  return [{ name: '', rows: data.slice(0, last + 1) }]
}

async function readWorkbook(bytes: Uint8Array): Promise<Sheet[]> {
  await demandUnpackable(bytes)
  const { default: readXlsx } = await import('read-excel-file/universal')
  const sheets = await readXlsx(bytes.buffer as ArrayBuffer)
  return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data.map((row) => row.map(cellText)) }))
}

async function readOldWorkbook(bytes: Uint8Array): Promise<readonly Sheet[]> {
  const { readXlsBeside } = await import('./xlsReader.ts')
  return readXlsBeside(bytes)
}

const isFilled = ({ rows }: Sheet) => rows.some((row) => row.some((cell) => cell.trim() !== ''))

/** The sheets with something in them: none for an empty file. */
export async function readSheets(content: Blob, extension: string): Promise<Sheet[]> {
  const bytes = new Uint8Array(await content.arrayBuffer())
  const format = extension.toLowerCase()
  const sheets = await (format === 'csv'
    ? readCsv(bytes)
    : format === 'xls'
      ? readOldWorkbook(bytes)
      : readWorkbook(bytes))
  return sheets.filter(isFilled)
}

/** The width of each column in pixels, by what its first rows say. */
export function columnWidths(rows: Sheet['rows']): number[] {
  const letters: number[] = []
  for (const row of rows) for (let at = letters.length; at < row.length; at += 1) letters.push(0)
  for (const row of rows.slice(0, MEASURED_ROWS))
    for (const [at, cell] of row.entries()) letters[at] = Math.max(letters[at]!, cell.length)
  return letters.map((count) =>
    Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, Math.round(count * LETTER_WIDTH) + 17)),
  )
}

const LETTERS = 26
/** A column's name in a workbook: A … Z, AA, AB … */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % LETTERS))
  return index < LETTERS ? letter : columnLetters(Math.floor(index / LETTERS) - 1) + letter
}
