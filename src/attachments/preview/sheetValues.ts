/** Pixels. */
export const ROW_HEIGHT = 28
const WIDTH_MIN = 72
const WIDTH_MAX = 360
const LETTER_WIDTH = 7.5
/** Rows that determine the column widths. */
const MEASURED_ROWS = 300

export interface Sheet {
  readonly name: string
  readonly isHidden?: boolean
  readonly rows: readonly (readonly string[])[]
}

const isFilled = ({ rows }: Sheet) => rows.some((row) => row.some((cell) => cell.trim() !== ''))

/** Reads the sheets, without empty ones. */
export async function readSheets(content: Blob, extension: string): Promise<Sheet[]> {
  const bytes = new Uint8Array(await content.arrayBuffer())
  const { readInWorker } = await import('./workbookReader.ts')
  const sheets = await readInWorker({ bytes, isCsv: extension.toLowerCase() === 'csv' })
  return sheets.filter(isFilled)
}

/** Width of each column in pixels, from its first rows. */
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
