import { createRequire } from 'node:module'

import type { Content, CustomTableLayout, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js'

import type { Block, Cell, Column, Line, PdfDocument, Step } from './pdf.ts'
import { isRightToLeft } from './direction.ts'
import { BOX, breakUnspaced, type Font, FONTS, lettersOf, orderLine, unpackedFonts } from './fonts.ts'
import { type RichBlock, type RichCell, rowAsLine, type Run } from '../core/rich-text.ts'

const require = createRequire(import.meta.url)

const INK = '#1c2126'
const MUTED = '#59626c'
const RULE = '#d3d8dd'
const LINK = '#1b4f9c'
const BAND = '#ffb300'
const A4 = { width: 595.28, height: 841.89 }
const MARGIN = { left: 54, top: 78, right: 54, bottom: 64 }
const WIDTH = A4.width - MARGIN.left - MARGIN.right
const PADDING = 5
const INDENT = 16

/** In-memory files of the renderer, which its types lack. */
interface VirtualFiles {
  readonly virtualfs: { writeFileSync(path: string, bytes: Buffer): void }
}

/** Draws the document: an A4 page, one column, hairlines. Reports the progress from 0 to 1. */
export async function drawPdf(
  document: PdfDocument,
  onProgress: (share: number) => void = () => {},
): Promise<Buffer> {
  const pdfmake = require('pdfmake') as typeof import('pdfmake') & VirtualFiles
  const definition = definitionOf(document)
  // After the texts were scanned, because only some need these typefaces.
  for (const [path, bytes] of unpackedFonts()) pdfmake.virtualfs.writeFileSync(path, bytes)
  pdfmake.setFonts(structuredClone(FONTS))
  // Documents can read only the font files.
  const allowed = new Set(Object.values(FONTS).flatMap((faces) => Object.values(faces)))
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy((path) => allowed.has(path))
  pdfmake.setTableLayouts({ rows: ROWS, facts: FACTS, steps: STEPS, grid: GRID })
  turnLinesAround()
  breakBetweenWords()
  countRows(document, onProgress)
  return pdfmake.createPdf(definition).getBuffer()
}

type LineDrawer = (line: Parameters<typeof orderLine>[0], x: number, y: number) => void
let turned = false
/** Orders each line first, because the renderer draws lines from the left only. */
function turnLinesAround(): void {
  if (turned) return
  turned = true
  const { default: Renderer } = require('pdfmake/js/Renderer.js') as {
    default: { prototype: { renderLine: LineDrawer } }
  }
  const drawLine = Renderer.prototype.renderLine
  Renderer.prototype.renderLine = function (line, x, y) {
    orderLine(line)
    drawLine.call(this, line, x, y)
  }
}

type TextBreaker = { prototype: { getBreaks: (...texts: unknown[]) => { text: string }[] } }
let breaks = false
/** Adds breaks, because the renderer breaks lines at spaces only, which some scripts lack. */
function breakBetweenWords(): void {
  if (breaks) return
  breaks = true
  const { default: breaker } = require('pdfmake/js/TextBreaker.js') as { default: TextBreaker }
  const { getBreaks } = breaker.prototype
  breaker.prototype.getBreaks = function (...texts) {
    return breakUnspaced(getBreaks.apply(this, texts))
  }
}

/** Share of the layout in the time: rows are measured and put on pages before the first one is drawn. */
const LAYOUT_SHARE = 0.6
const PROGRESS_STEPS = 100
type Layout = { prototype: { processRow: (...row: unknown[]) => unknown } }
let layRow: Layout['prototype']['processRow'] | undefined
/** Counts rows during layout, because the renderer reports drawn pages only. */
function countRows({ blocks }: PdfDocument, onProgress: (share: number) => void): void {
  const pdfmake = require('pdfmake') as typeof import('pdfmake')
  const { default: LayoutBuilder } = require('pdfmake/js/LayoutBuilder.js') as { default: Layout }
  const rowsOf = (block: Block) =>
    'rows' in block ? block.rows.length : 'steps' in block ? block.steps.length : 0
  const rows = blocks.reduce((sum, block) => sum + rowsOf(block), 0)
  let told = 0
  const tell = (share: number) => {
    if (share - told < 1 / PROGRESS_STEPS) return
    told = share
    onProgress(share)
  }
  layRow ??= LayoutBuilder.prototype.processRow
  const lay = layRow
  let laid = 0
  LayoutBuilder.prototype.processRow = function (...row) {
    laid += 1
    tell(LAYOUT_SHARE * Math.min(1, laid / rows))
    return lay.apply(this, row)
  }
  pdfmake.setProgressCallback((share) => tell(LAYOUT_SHARE + (1 - LAYOUT_SHARE) * share))
}

const lines = (padding: number, before: (row: number, rows: number) => boolean): CustomTableLayout => ({
  hLineWidth: (row, { table }) => (before(row, table.body.length) ? 0.5 : 0),
  vLineWidth: () => 0,
  hLineColor: () => RULE,
  paddingLeft: (column) => (column === 0 ? 0 : PADDING),
  paddingRight: (column, { table }) => (column === table.body[0]!.length - 1 ? 0 : PADDING),
  paddingTop: () => padding,
  paddingBottom: () => padding,
})
const ROWS = lines(4.5, (row) => row > 0)
const STEPS = lines(5.5, (row) => row === 0)
const FACTS = lines(3, (row, rows) => row > 0 && row < rows)
/** Layout of tables in rich text: empty cells need edges too. */
const GRID: CustomTableLayout = {
  hLineWidth: () => 0.5,
  vLineWidth: () => 0.5,
  hLineColor: () => RULE,
  vLineColor: () => RULE,
  paddingLeft: () => PADDING,
  paddingRight: () => PADDING,
  paddingTop: () => 3.5,
  paddingBottom: () => 3.5,
}

/** The renderer's own description of the document. */
export function definitionOf(document: PdfDocument): TDocumentDefinitions {
  const missing = new Set<string>()
  const set = typesetter((character) => missing.add(character))
  const content = document.blocks.flatMap((block, n, all) => drawn(block, set, all[n + 1]))
  if (missing.size > 0) {
    const codes = [...missing].map(
      (one) => `U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
    )
    content.push({
      text: set(
        `${BOX} stands for characters that this document's typefaces do not have: ${codes.join(', ')}.`,
      ),
      style: 'note',
      margin: [0, 18, 0, 0],
    })
  }
  const { title, author, header, band, footer } = document
  return {
    pageSize: 'A4',
    pageMargins: [MARGIN.left, MARGIN.top, MARGIN.right, MARGIN.bottom],
    language: 'en',
    displayTitle: true,
    info: {
      title,
      author,
      creator: 'Muster',
      producer: 'Muster',
      creationDate: new Date(document.createTimestamp),
    },
    defaultStyle: { font: 'Text', fontSize: 9.5, lineHeight: 1.25, color: INK, preserveLeadingSpaces: true },
    styles: {
      over: { fontSize: 9, characterSpacing: 1.2, color: MUTED },
      title: { fontSize: 21, bold: true, lineHeight: 1.15 },
      heading: { fontSize: 13, bold: true },
      subheading: { fontSize: 11, bold: true },
      note: { fontSize: 8.5, color: MUTED },
      label: { color: MUTED },
      column: { fontSize: 8, bold: true, color: MUTED },
      edge: { fontSize: 8, color: MUTED },
      band: { fontSize: 11, bold: true, characterSpacing: 1.2 },
    },
    header: () => [
      ...(band === undefined ? [] : bandOf(set(band))),
      {
        margin: [MARGIN.left, band === undefined ? 36 : 14, MARGIN.right, 0],
        columns: header.map((text, n) => ({
          text: set(text),
          style: 'edge',
          noWrap: n === 1,
          width: n === 0 ? '*' : 'auto',
        })),
      },
    ],
    footer: (page, pages) => ({
      margin: [MARGIN.left, 24, MARGIN.right, 0],
      columns: [
        { text: set(footer), style: 'edge', width: '*' },
        { text: `Page ${page} of ${pages}`, style: 'edge', alignment: 'right', width: 90 },
      ],
    }),
    content,
  }
}

const bandOf = (text: Content): Content[] => [
  { canvas: [{ type: 'rect', x: 0, y: 0, w: A4.width, h: 26, color: BAND }] },
  { text, style: 'band', alignment: 'center', margin: [0, -20, 0, 8] },
]

type Piece = { text: string; font: Font } & Record<string, unknown>
type Set = (text: string | readonly Run[]) => Piece[]
const lookOf = ({ bold, italic, underlined, struck, link }: Run) => ({
  ...(bold ? { bold } : {}),
  ...(italic ? { italics: true } : {}),
  ...(underlined || link ? { decoration: 'underline' } : {}),
  ...(struck ? { decoration: 'lineThrough' } : {}),
  ...(link ? { link, color: LINK } : {}),
})
const typesetter =
  (missing: (character: string) => void): Set =>
  (text) =>
    (typeof text === 'string' ? [{ text }] : text).flatMap((run) =>
      lettersOf(run.text, run.code ? 'Code' : 'Text', missing).map((piece) => ({
        ...piece,
        ...lookOf(run),
        ...(piece.font === 'Code' ? { fontSize: 8.5 } : {}),
      })),
    )

/** Right-to-left texts are aligned to the right. */
const side = (runs: readonly Run[]) =>
  isRightToLeft(runs.map(({ text }) => text).join('')) ? { alignment: 'right' as const } : {}

function drawn(block: Block, set: Set, next?: Block): Content[] {
  switch (block.kind) {
    case 'title':
      return [
        { text: set(block.over), style: 'over', margin: [0, 0, 0, 4] },
        { text: set(block.text), style: 'title', margin: [0, 0, 0, 12], ...side([block]) },
      ]
    case 'heading':
      return [drawnHeading({ text: set(block.text), style: 'heading' }, roomOf(next))]
    case 'steps':
      return drawnSteps(block, set)
    case 'note':
      return [{ text: set(block.text), style: 'note', margin: [0, 0, 0, 6] }]
    case 'facts':
      return [
        table(
          [{ width: 120, title: '' }, { title: '' }],
          'facts',
          block.rows.map(([label, value]) => [
            { text: set(label), style: 'label' },
            { text: set(value), ...side([{ text: value }]) },
          ]),
        ),
      ]
    case 'rich':
      return block.blocks.flatMap((one) =>
        one.kind === 'table' ? richTable(one, set) : [richBlock(one, set)],
      )
    default:
      return [
        table(
          block.columns,
          'rows',
          [
            block.columns.map(({ title }) => ({ text: set(title), style: 'column' })),
            ...block.rows.map((cells) => cells.map((cell) => drawnCell(cell, set))),
          ],
          block.rows.every(isShort),
        ),
      ]
  }
}

/** Points reserved below a heading: a few lines. */
const ROOM = 72
const LINE = 13
/** Room for the first row of a table, which is not broken: at most that of a short row. */
function roomOf(next: Block | undefined): number {
  if (!next || !('rows' in next) || next.kind === 'facts') return ROOM
  const [first] = next.rows
  if (!first || !isShort(first)) return ROOM
  const linesOf = (cell: Cell) =>
    cell.reduce((sum, { runs }) => {
      const text = runs.map((run) => run.text).join('')
      return sum + text.length / 45 + text.split('\n').length
    }, 0)
  return Math.max(ROOM, 2 * LINE + LINE * Math.max(...first.map(linesOf)))
}
/** A heading together with room for the next block, so that it never stands alone at the foot of a page. */
const drawnHeading = (heading: Content, room = ROOM, above = 22): Content => ({
  unbreakable: true,
  stack: [heading, { text: ' ', margin: [0, 0, 0, room] }],
  margin: [0, above, 0, -room - 6],
})

const STEP_COLUMNS = [{ title: '', width: 26 }, { title: '' }]
const drawnStep = ({ marker, lines: cell }: Step, set: Set): Content =>
  table(STEP_COLUMNS, 'steps', [[{ text: set(marker), color: MUTED }, drawnCell(cell, set)]], isShort([cell]))
/** Keeps a heading with its whole first step, or with the beginning of one that may exceed a page. */
function drawnSteps({ heading, steps }: Extract<Block, { kind: 'steps' }>, set: Set): Content[] {
  const [first, ...rest] = steps
  if (heading === null) return steps.map((step) => drawnStep(step, set))
  const title: Content = {
    text: set(heading),
    style: 'subheading',
    margin: [0, 0, 0, 4],
    ...side([{ text: heading }]),
  }
  const others = rest.map((step) => drawnStep(step, set))
  if (!first) return [drawnHeading(title)]
  if (!isShort([first.lines])) return [drawnHeading(title), drawnStep(first, set), ...others]
  const start: Content = { unbreakable: true, stack: [title, drawnStep(first, set)], margin: [0, 14, 0, 0] }
  return [start, ...others]
}

/** All columns have a width in points, so that a long word breaks instead of widening its column. */
function table(
  columns: readonly Column[],
  layout: 'rows' | 'facts' | 'steps',
  body: TableCell[][],
  dontBreakRows = true,
): Content {
  const inside = WIDTH - 2 * PADDING * (columns.length - 1)
  const rest = inside - columns.reduce((sum, { width = 0 }) => sum + width, 0)
  const widths = columns.map(({ width = rest }) => width)
  return { layout, table: { headerRows: layout === 'rows' ? 1 : 0, dontBreakRows, widths, body } }
}

/** True for a row that surely fits on a page. Other rows have to be broken, or their end would be lost. */
const isShort = (row: readonly Cell[]): boolean =>
  row.every((cell) => {
    const texts = cell.map(({ runs }) => runs.map(({ text }) => text).join(''))
    return texts.reduce((sum, text) => sum + text.length / 20 + text.split('\n').length, 0) < 40
  })
const drawnCell = (cell: Cell, set: Set): TableCell => ({
  stack: cell.flatMap((line) => paragraphsOf(line).map((one) => drawnLine(one, set))),
})
/** One line per paragraph of a text, because each has its own alignment. */
function paragraphsOf({ runs, ...looks }: Line): Line[] {
  const paragraphs: Run[][] = [[]]
  for (const { text, ...run } of runs)
    for (const [n, part] of text.split(/\r?\n/).entries()) {
      if (n > 0) paragraphs.push([])
      paragraphs.at(-1)!.push({ ...run, text: part })
    }
  // Empty lines stay.
  return paragraphs.map((one) => ({
    ...looks,
    runs: one.some(({ text }) => text !== '') ? one : [{ text: ' ' }],
  }))
}
const drawnLine = ({ runs, tone }: Line, set: Set): Content => ({
  text: set(runs),
  ...side(runs),
  ...(tone === 'strong' ? { bold: true } : {}),
  ...(tone === 'muted' ? { color: MUTED, fontSize: 8.5 } : {}),
})

function richBlock({ kind, depth, marker, quoted, runs }: RichBlock, set: Set): Content {
  if (kind === 'rule')
    return {
      canvas: [{ type: 'line', x1: 0, y1: 0, x2: WIDTH, y2: 0, lineWidth: 0.5, lineColor: RULE }],
      margin: [0, 6, 0, 8],
    }
  const text = set(runs)
  const looks = {
    ...(kind === 'heading' ? { style: 'subheading' } : quoted ? { color: MUTED, italics: true } : {}),
    ...side(runs),
  }
  const isReversed = 'alignment' in looks
  const indented = (steps: number, top: number, bottom: number): [number, number, number, number] =>
    isReversed ? [0, top, steps * INDENT, bottom] : [steps * INDENT, top, 0, bottom]
  if (kind === 'heading' && marker === undefined)
    return drawnHeading({ text, margin: indented(depth, 0, 0), ...looks }, ROOM / 2, 6)
  if (marker === undefined) return { text, margin: indented(depth, kind === 'heading' ? 6 : 0, 5), ...looks }
  const bullet = {
    text: set(marker),
    width: INDENT,
    ...(marker.length > 2 ? { fontSize: 8.5 } : {}),
    ...(isReversed ? { alignment: 'right' as const } : {}),
  }
  const columns = [bullet, { text, width: '*', ...looks }]
  return { margin: indented(depth - 1, 0, 3), columns: isReversed ? columns.toReversed() : columns }
}

/** Maximum columns of a table; more would be narrower than a word. */
const COLUMNS_MAX = 12
/** Characters that limit a column's share of the width. */
const COLUMN_LENGTH = { min: 6, max: 48 }
const lengthOfCell = ({ blocks }: RichCell) =>
  Math.max(0, ...blocks.map(({ runs }) => runs.reduce((sum, { text }) => sum + text.length, 0)))
/** Column widths in proportion to their contents. */
function columnWidths(rows: readonly (readonly RichCell[])[], count: number, width: number): number[] {
  const { min, max } = COLUMN_LENGTH
  const lengths = Array.from({ length: count }, (_, n) =>
    Math.min(max, Math.max(min, ...rows.map((row) => (row[n] ? lengthOfCell(row[n]) : 0)))),
  )
  const sum = lengths.reduce((all, one) => all + one, 0)
  const inside = width - 2 * PADDING * count - 0.5 * (count + 1)
  return lengths.map((length) => (inside * length) / sum)
}

/** A table of rich text; with too many columns, set as lines. */
function richTable({ rows = [], depth }: RichBlock, set: Set): Content[] {
  const count = Math.max(...rows.map((row) => row.length))
  if (count > COLUMNS_MAX) return rows.map((row) => richBlock(rowAsLine(row, depth), set))
  const isReversed = isRightToLeft(wordsOf(rows))
  const body = rows.map((row) => {
    const cells = Array.from({ length: count }, (_, n) => richCell(row[n], set))
    return isReversed ? cells.toReversed() : cells
  })
  const widths = columnWidths(rows, count, WIDTH - depth * INDENT)
  return [
    {
      layout: 'grid',
      margin: [depth * INDENT, 3, 0, 8],
      table: {
        headerRows: rows.length > 1 && rows[0]!.every(({ isHeader }) => isHeader) ? 1 : 0,
        keepWithHeaderRows: 1,
        dontBreakRows: rows.every((row) => isShort(row.map(({ blocks }) => blocks))),
        widths: isReversed ? widths.toReversed() : widths,
        body,
      },
    },
  ]
}
const wordsOf = (rows: readonly (readonly RichCell[])[]): string =>
  rows
    .flat()
    .flatMap(({ blocks }) => blocks.flatMap(({ runs }) => runs.map(({ text }) => text)))
    .join(' ')
function richCell(cell: RichCell | undefined, set: Set): TableCell {
  const blocks = cell?.blocks ?? []
  const stack = blocks
    .filter(({ kind }) => kind !== 'rule')
    .map(({ kind, ...one }): Content => {
      // Headings in cells need no room below.
      const drawnBlock = richBlock({ ...one, kind: kind === 'heading' ? 'paragraph' : kind }, set)
      return kind === 'heading' || cell?.isHeader ? { stack: [drawnBlock], bold: true } : drawnBlock
    })
  return { stack, fontSize: 9 }
}
