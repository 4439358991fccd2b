import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import { Inflate } from 'fflate'

import type { SearchedExtension } from '#contract/files/rules.ts'
import { decodeText } from '#contract/kit/encodings.ts'
import { demandUnpackable, isArchive } from '#contract/kit/unpack.ts'
import type { TaskOf } from '#server/kit/processes/task.ts'

import { textOfDocument, textOfPresentation } from './office.content.ts'
import { type FileText, fileTextOf, type PageText, TEXT_MAX } from './passages.content.ts'

type Pages = AsyncIterable<PageText> | Iterable<PageText>

/** The pages of a PDF. */
async function* pagesOfPdf(data: Uint8Array): AsyncGenerator<PageText> {
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const folder = (name: string) =>
    fileURLToPath(new URL(`./${name}/`, import.meta.resolve('pdfjs-dist/package.json')))
  const pdf = await getDocument({
    data,
    // Tables of characters, mostly of Japanese, Chinese and Korean fonts.
    cMapUrl: folder('cmaps'),
    standardFontDataUrl: folder('standard_fonts'),
    isEvalSupported: false,
    enableXfa: false,
    disableFontFace: true,
    verbosity: VerbosityLevel.ERRORS,
  }).promise
  for (let page = 1; page <= pdf.numPages; page += 1) {
    // A damaged page has no text; the others are read.
    const text = await pdf.getPage(page).then(
      async (one) => {
        const { items } = await one.getTextContent()
        one.cleanup()
        return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
      },
      () => '',
    )
    // Words that are divided at the end of a line.
    yield { page, text: text.replace(/(\p{L})-\n(\p{Ll})/gu, '$1$2') }
  }
}

/** The sheets of a workbook, with numbers and dates as displayed. Formulas are not computed. */
async function* pagesOfWorkbook(bytes: Uint8Array): AsyncGenerator<PageText> {
  const { read } = await import('@e965/xlsx')
  if (isArchive(bytes)) demandUnpackable(bytes, Inflate)
  const workbook = read(bytes, {
    type: 'array',
    dense: true,
    dateNF: 'yyyy-mm-dd',
    cellFormula: false,
    cellHTML: false,
    bookVBA: false,
  })
  for (const name of workbook.SheetNames) {
    let text = name
    for (const row of workbook.Sheets[name]?.['!data'] ?? []) {
      if (text.length > TEXT_MAX) break
      // Rows and cells without content are holes.
      for (const cell of row ?? []) if (cell) text += ` ${cell.w ?? String(cell.v ?? '')}`
    }
    yield { page: null, text }
  }
}

const whole = (text: string): Pages => [{ page: null, text }]

const READERS: { readonly [E in SearchedExtension]: (bytes: Uint8Array) => Pages } = {
  csv: (bytes) => whole(decodeText(bytes)?.text ?? ''),
  docx: (bytes) => whole(textOfDocument(bytes)),
  pdf: pagesOfPdf,
  pptx: (bytes) => whole(textOfPresentation(bytes)),
  txt: (bytes) => whole(decodeText(bytes)?.text ?? ''),
  xls: pagesOfWorkbook,
  xlsx: pagesOfWorkbook,
}

export interface TextTask {
  readonly extension: SearchedExtension
  /** True where the input is the beginning of a file. Its last line may end within a character. */
  readonly isCut: boolean
}
const NEW_LINE = 0x0a
const wholeLines = (bytes: Uint8Array): Uint8Array =>
  bytes.subarray(0, bytes.lastIndexOf(NEW_LINE) + 1 || bytes.length)
/** Reads the text of the file on the standard input; null where it is damaged or has a password. */
const readText: TaskOf<TextTask, FileText | null> = async ({ extension, isCut }) => {
  const bytes = new Uint8Array(await buffer(process.stdin))
  try {
    return await fileTextOf(READERS[extension](isCut ? wholeLines(bytes) : bytes))
  } catch {
    return null
  }
}
export default readText
