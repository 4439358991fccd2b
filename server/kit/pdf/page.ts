import { readFileSync } from 'node:fs'

import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'

import { type Block, DOCUMENT_TOO_LONG, type PdfDocument } from './pdf.ts'
import { BOX, FAMILIES, fontBlobs, visibleText } from './fonts.ts'
import { type RichBlock, rowAsLine } from '../core/rich-text.ts'
import { Refusal } from '../core/refusal.ts'

const TEMPLATE = new URL('./page.typ', import.meta.url)
/** Characters of a document as JSON. Drawing takes about 300 bytes of memory for each, outside the limited heap. */
const LENGTH_MAX = 4_500_000
/** Maximum columns of a table; more would be narrower than a word. */
const COLUMNS_MAX = 12

/** Sets a table with too many columns as lines. */
const narrowed = (block: RichBlock): RichBlock[] =>
  block.rows?.some((row) => row.length > COLUMNS_MAX)
    ? block.rows.map((row) => rowAsLine(row, block.depth))
    : [block]

function noteOf(missing: ReadonlySet<string>): Block[] {
  if (missing.size === 0) return []
  const codes = [...missing].map(
    (one) => `U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
  )
  const text = `${BOX} stands for characters that this document's typefaces do not have: ${codes.join(', ')}.`
  return [{ kind: 'note', text }]
}

/** The document as the template reads it: visible characters only, and a note about those without a font. */
export function contentOf(document: PdfDocument): PdfDocument {
  const missing = new Set<string>()
  const blocks = document.blocks.map((block) =>
    block.kind === 'rich' ? { ...block, blocks: block.blocks.flatMap(narrowed) } : block,
  )
  const shown = (key: string, value: unknown): unknown => {
    if (key === 'rich') return (value as readonly RichBlock[]).flatMap(narrowed)
    return typeof value === 'string' && key !== 'link' ? visibleText(value, missing) : value
  }
  const content = JSON.parse(JSON.stringify({ ...document, blocks }, shown)) as PdfDocument
  return { ...content, blocks: [...content.blocks, ...noteOf(missing)] }
}

/**
 * Draws the document: an A4 page, one column, hairlines.
 * @throws Refusal 413 for one that would take too much memory
 */
export function drawPdf(document: PdfDocument): Buffer {
  const content = JSON.stringify(contentOf(document))
  if (content.length > LENGTH_MAX) throw new Refusal(413, DOCUMENT_TOO_LONG)
  const compiler = NodeCompiler.create({ fontArgs: [{ fontBlobs: fontBlobs() }] })
  return compiler.pdf({
    mainFileContent: readFileSync(TEMPLATE, 'utf8'),
    inputs: { document: content, families: JSON.stringify(FAMILIES) },
  })
}
