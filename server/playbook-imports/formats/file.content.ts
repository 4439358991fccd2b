import { SOURCE_FORMAT } from '#contract/playbook-imports/rules.ts'
import type { ImportFile, ImportPreview } from '#contract/playbook-imports/schema.ts'
import { partsOf } from '#contract/kit/files.ts'

import { isCacao, readCacao } from './cacao.content.ts'
import { readTable } from './csv.content.ts'
import { parseJson, readJson } from './json.content.ts'
import { readMarkdown } from './markdown.content.ts'
import { wrongFile } from './reading.content.ts'

export const UNKNOWN_FILE =
  'This file cannot be read. Playbooks are imported from Markdown (.md), tables (CSV, TSV, XLSX), our own JSON and CACAO JSON.'
export const UNKNOWN_JSON = `format: this JSON is neither of the format “${SOURCE_FORMAT}” nor a CACAO playbook.`
const EMPTY = 'This file is empty.'
const TEXT_EXTENSIONS = ['md', 'markdown', 'mdown', 'txt', '']
/** Share of unreadable characters above which a file is binary or in another encoding. */
const UNREADABLE_MAX = 0.05

/** True for a picture, program or archive that was read as text. */
function isBinary(text: string): boolean {
  const start = text.slice(0, 10_000)
  const unreadable = start.split('\uFFFD').length - 1
  return (
    /^(%PDF-|PK\u0003\u0004)/.test(start) || text.includes('\0') || unreadable > start.length * UNREADABLE_MAX
  )
}

function readJsonFile(content: string): ImportPreview {
  const file = parseJson(content)
  if (isCacao(file)) return { format: 'CACAO', playbooks: [readCacao(file)], table: null }
  if (typeof file === 'object' && file !== null && 'format' in file && file.format === SOURCE_FORMAT)
    return { format: 'JSON', playbooks: readJson(file), table: null }
  throw wrongFile(UNKNOWN_JSON)
}

/**
 * Reads the playbooks of a file. Detects the format by the file's extension, otherwise by its first characters.
 * @throws Refusal 400 with the problem and its place
 */
export async function readFile({ fileName, content, columns }: ImportFile): Promise<ImportPreview> {
  const text = content.replace(/^\uFEFF/, '')
  const { name, extension } = partsOf(fileName.replace(/^.*[\\/]/, ''))
  const kind = extension.toLowerCase()
  if (text.trim() === '') throw wrongFile(EMPTY)
  if (isBinary(text)) throw wrongFile(UNKNOWN_FILE)
  const isJson = text.trimStart().startsWith('{')
  if (kind === 'csv' || kind === 'tsv') return { format: 'CSV', ...(await readTable(text, name, columns)) }
  if (kind === 'json' || (isJson && kind !== 'md')) return readJsonFile(text)
  if (!TEXT_EXTENSIONS.includes(kind)) throw wrongFile(UNKNOWN_FILE)
  return { format: 'MARKDOWN', playbooks: [readMarkdown(text, name)], table: null }
}
