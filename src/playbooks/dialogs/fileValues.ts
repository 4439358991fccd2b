import { partsOf } from '#contract/kit/files.ts'
import { decodeText } from '#contract/kit/encodings.ts'
import { type Sheet, TABLE_BYTES_MAX } from '#contract/kit/table.ts'
import { IMPORT_TEXT_MAX } from '#contract/playbook-imports/schema.ts'
import { readInWorker } from '#src/kit/import-table/tableReader.ts'

/** Extensions of supported files. */
export const IMPORT_ACCEPT = '.md,.markdown,.txt,.json,.csv,.tsv,.xlsx,.xls'
const TEXT_NAME = /\.(md|markdown|txt|json|csv|tsv)$/i
const WORKBOOK_NAME = /\.(xlsx|xlsm|xls)$/i
/** Bytes of the longest text: `IMPORT_TEXT_MAX` characters. */
const BYTES_MAX = 4 * IMPORT_TEXT_MAX

/** The reason why a file cannot be read, as a key of the messages. */
export type Unreadable = 'fileKind' | 'fileEmpty' | 'fileTooLong' | 'fileNotText' | 'fileNotRead'

/** A text to import, of a whole file or of a sheet. */
export interface TextSource {
  /** Name that people see. */
  readonly source: string
  /** Name whose extension says the format. */
  readonly fileName: string
  readonly content: string
}

/** The sheets of a workbook that people see, as CSV. */
export async function sourcesOf(fileName: string, sheets: readonly Sheet[]): Promise<TextSource[]> {
  const { default: Papa } = await import('papaparse')
  const { name } = partsOf(fileName)
  const visible = sheets.filter(({ isHidden }) => !isHidden)
  return visible.map((sheet) => {
    const suffix = visible.length > 1 ? ` – ${sheet.name}` : ''
    const rows = sheet.rows.map((row) => [...row])
    return {
      source: `${fileName}${suffix}`,
      fileName: `${name}${suffix}.csv`,
      content: Papa.unparse(rows, { delimiter: ',', newline: '\n' }),
    }
  })
}

async function readWorkbook(file: File): Promise<TextSource[] | Unreadable> {
  if (file.size > TABLE_BYTES_MAX) return 'fileTooLong'
  try {
    const table = await readInWorker({
      bytes: new Uint8Array(await file.arrayBuffer()),
      encoding: undefined,
    })
    return 'sheets' in table ? await sourcesOf(file.name, table.sheets) : 'fileNotRead'
  } catch {
    return 'fileNotRead'
  }
}

/** Reads a text in the encoding that its mark or its letters say. */
async function readText(file: File): Promise<TextSource[] | Unreadable> {
  if (file.size > BYTES_MAX) return 'fileTooLong'
  const text = decodeText(new Uint8Array(await file.arrayBuffer()))?.text
  if (text === undefined || text.includes('\0')) return 'fileNotText'
  return [{ source: file.name, fileName: file.name, content: text }]
}

/** Reads the texts of a chosen file, or returns the reason why it cannot. */
export async function readSources(file: File): Promise<readonly TextSource[] | Unreadable> {
  if (file.size === 0) return 'fileEmpty'
  const isWorkbook = WORKBOOK_NAME.test(file.name)
  if (!isWorkbook && !TEXT_NAME.test(file.name)) return 'fileKind'
  const found = await (isWorkbook ? readWorkbook(file) : readText(file))
  if (typeof found === 'string') return found
  if (found.every(({ content }) => content.trim() === '')) return 'fileEmpty'
  return found.some(({ content }) => content.length > IMPORT_TEXT_MAX) ? 'fileTooLong' : found
}
