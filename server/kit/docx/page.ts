import { withoutDirectionMarks } from '#contract/kit/direction.ts'
import {
  AlignmentType,
  BorderStyle,
  Document,
  ExternalHyperlink,
  Footer,
  Header,
  HeadingLevel,
  type IParagraphOptions,
  type IRunOptions,
  type IStylesOptions,
  LevelFormat,
  Packer,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  Tab,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx'

import { isRightToLeft } from '../pdf/direction.ts'
import type { Block, Cell, Column, Line, PdfDocument } from '../pdf/pdf.ts'
import type { RichBlock, RichCell, Run } from '../core/rich-text.ts'

/** Twips (twentieths of a point) per point. */
const TWIPS = 20
const A4 = { width: 11_906, height: 16_838 }
const MARGIN = 1_134
const WIDTH = A4.width - 2 * MARGIN
const STEP_INDENT = 567
const INDENT = 360
const LABEL_WIDTH = 2_400
const STEPS = 'steps'
const BULLETS = 'bullets'
const STYLES = { over: 'Over', details: 'Details', stepText: 'StepText' } as const
/** Styles of headings above steps, by level. */
const STEP_HEADINGS = [
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
] as const
const MUTED = '59626C'
const RULE = { style: BorderStyle.SINGLE, size: 4, color: 'D3D8DD' }
const NO_RULE = { style: BorderStyle.NONE, size: 0, color: 'auto' }

// Characters that XML 1.0 forbids; a vertical tab is a line break in texts from Word.
// oxlint-disable-next-line no-control-regex
const NO_XML = /[\u0000-\u0008\u000e-\u001f\ufffe\uffff]/g
const clean = (text: string): string =>
  withoutDirectionMarks(text.toWellFormed())
    .replace(/\r\n?|[\u000b\u000c\u2028\u2029]/g, '\n')
    .replace(NO_XML, '')

const lookOf = ({ bold, italic, underlined, struck, code }: Run): IRunOptions => ({
  ...(bold ? { bold } : {}),
  ...(italic ? { italics: true } : {}),
  ...(underlined ? { underline: {} } : {}),
  ...(struck ? { strike: true } : {}),
  ...(code ? { font: 'Consolas' } : {}),
})
/** A text as runs, one per line. */
function runsOf(run: Run): ParagraphChild[] {
  const rightToLeft = isRightToLeft(run.text)
  const runs = clean(run.text)
    .split('\n')
    .map(
      (text, n) =>
        new TextRun({
          ...lookOf(run),
          text,
          ...(n > 0 ? { break: 1 } : {}),
          ...(rightToLeft ? { rightToLeft } : {}),
        }),
    )
  return run.link ? [new ExternalHyperlink({ link: run.link, children: runs })] : runs
}
function paragraph(runs: readonly Run[], options: IParagraphOptions = {}): Paragraph {
  const isReversed = isRightToLeft(runs.map(({ text }) => text).join(''))
  return new Paragraph({
    ...options,
    ...(isReversed ? { bidirectional: true } : {}),
    children: runs.flatMap(runsOf),
  })
}
const plain = (text: string, options?: IParagraphOptions) => paragraph([{ text }], options)

const lineParagraph = ({ runs, tone }: Line, options: IParagraphOptions = {}): Paragraph =>
  paragraph(tone === 'strong' ? runs.map((run) => ({ ...run, bold: true })) : runs, {
    ...(tone === 'muted' ? { style: STYLES.details } : {}),
    ...options,
  })

/** A line as a paragraph, or the blocks of its formatted text. */
const lineBlocks = (line: Line, options?: IParagraphOptions, left = 0): (Paragraph | Table)[] =>
  line.rich
    ? line.rich.map((one) => (one.kind === 'table' ? richTable(one, left) : richParagraph(one, left)))
    : [lineParagraph(line, options)]

/** A step as an item of the document's single numbered list, with its other lines below. */
function stepParagraphs(lines: Cell): (Paragraph | Table)[] {
  return lines.flatMap((line, n) => {
    const keepNext = n < lines.length - 1
    if (n === 0)
      return lineBlocks(line, {
        numbering: { reference: STEPS, level: 0 },
        keepNext,
        spacing: { before: 160 },
      })
    const style = line.tone === 'muted' ? STYLES.details : STYLES.stepText
    return lineBlocks(line, { style, indent: { left: STEP_INDENT }, keepNext }, STEP_INDENT)
  })
}

interface RowOptions {
  readonly widths: readonly number[]
  readonly isHeader?: boolean
}
const row = (cells: readonly (readonly (Paragraph | Table)[])[], { widths, isHeader = false }: RowOptions) =>
  new TableRow({
    tableHeader: isHeader,
    cantSplit: true,
    children: cells.map(
      (children, n) =>
        new TableCell({
          width: { size: widths[n]!, type: WidthType.DXA },
          margins: { top: 60, bottom: 60, left: 60, right: 60 },
          children: [...children],
        }),
    ),
  })
const table = (rows: readonly TableRow[], widths: readonly number[]): Table =>
  new Table({
    width: { size: WIDTH, type: WidthType.DXA },
    columnWidths: [...widths],
    borders: {
      top: NO_RULE,
      bottom: NO_RULE,
      left: NO_RULE,
      right: NO_RULE,
      insideVertical: NO_RULE,
      insideHorizontal: RULE,
    },
    rows: [...rows],
  })
function widthsOf(columns: readonly Column[]): number[] {
  const known = columns.reduce((sum, { width = 0 }) => sum + width * TWIPS, 0)
  return columns.map(({ width }) => (width === undefined ? WIDTH - known : width * TWIPS))
}

function richParagraph({ kind, depth, marker, runs }: RichBlock, left = 0): Paragraph {
  if (kind === 'rule') return new Paragraph({ border: { bottom: { ...RULE, space: 1 } } })
  const indent = { left: left + depth * INDENT }
  if (marker === '•')
    return paragraph(runs, {
      numbering: { reference: BULLETS, level: Math.min(depth, 9) - 1 },
      ...(left > 0 && { indent: { ...indent, hanging: INDENT } }),
    })
  const numbered = marker === undefined ? runs : [{ text: `${marker} ` }, ...runs]
  return paragraph(numbered, {
    indent,
    ...(kind === 'heading' && left === 0 ? { heading: HeadingLevel.HEADING_2 } : {}),
  })
}
const richCell = (cell: RichCell | undefined): Paragraph[] => {
  const blocks = cell?.blocks ?? []
  const bold = cell?.isHeader ? { bold: true } : {}
  const paragraphs = blocks.map(({ runs, ...one }) =>
    richParagraph({ ...one, runs: runs.map((run) => ({ ...run, ...bold })) }),
  )
  return paragraphs.length > 0 ? paragraphs : [plain('')]
}
function richTable({ rows = [] }: RichBlock, left = 0): Table {
  const count = Math.max(...rows.map((cells) => cells.length))
  const width = WIDTH - left
  const widths = Array.from({ length: count }, () => Math.floor(width / count))
  return new Table({
    width: { size: width, type: WidthType.DXA },
    ...(left > 0 && { indent: { size: left, type: WidthType.DXA } }),
    columnWidths: widths,
    rows: rows.map((cells) =>
      row(
        widths.map((_, n) => richCell(cells[n])),
        { widths },
      ),
    ),
  })
}

function written(block: Block): (Paragraph | Table)[] {
  switch (block.kind) {
    case 'title':
      return [plain(block.over, { style: STYLES.over }), plain(block.text, { heading: HeadingLevel.TITLE })]
    case 'heading':
      return [plain(block.text, { heading: HeadingLevel.HEADING_1 })]
    case 'note':
      return [plain(block.text, { style: STYLES.details })]
    case 'facts': {
      const widths = [LABEL_WIDTH, WIDTH - LABEL_WIDTH]
      const rows = block.rows.map(([label, value]) =>
        row([[plain(label, { style: STYLES.details })], [plain(value)]], { widths }),
      )
      return [table(rows, widths)]
    }
    case 'rich':
      return block.blocks.map((one) => (one.kind === 'table' ? richTable(one) : richParagraph(one)))
    case 'steps': {
      const { text = '', level = 1, below = [] } = block.heading ?? {}
      const heading = block.heading === null ? [] : [plain(text, { heading: STEP_HEADINGS[level - 1]! })]
      return [
        ...heading,
        ...below.flatMap((line) => lineBlocks(line)),
        ...block.steps.flatMap(({ lines }) => stepParagraphs(lines)),
      ]
    }
    default: {
      const widths = widthsOf(block.columns)
      const head = row(
        block.columns.map(({ title }) => [paragraph([{ text: title, bold: true }])]),
        { widths, isHeader: true },
      )
      const rows = block.rows.map((cells) =>
        row(
          cells.map((cell) => cell.flatMap((line) => lineBlocks(line))),
          { widths },
        ),
      )
      return [table([head, ...rows], widths)]
    }
  }
}

const FONT = 'Calibri'
const heading = (size: number, before: number) => ({
  run: { font: FONT, size, bold: true, color: '1C2126' },
  paragraph: { keepNext: true, spacing: { before, after: 80 } },
})
const WORD_STYLES: IStylesOptions = {
  default: {
    document: {
      run: { font: FONT, size: 21, language: { value: 'en-US' } },
      paragraph: { spacing: { after: 80 } },
    },
    title: { run: { font: FONT, size: 44, bold: true }, paragraph: { spacing: { after: 200 } } },
    heading1: heading(28, 360),
    heading2: heading(24, 280),
    heading3: heading(22, 240),
    heading4: heading(21, 220),
    heading5: heading(21, 200),
    heading6: heading(21, 200),
  },
  paragraphStyles: [
    {
      id: STYLES.over,
      name: 'Over',
      basedOn: 'Normal',
      run: { size: 18, color: MUTED, characterSpacing: 24 },
    },
    { id: STYLES.details, name: 'Details', basedOn: 'Normal', run: { size: 18, color: MUTED } },
    { id: STYLES.stepText, name: 'Step Text', basedOn: 'Normal' },
  ],
}

const edgeLine = (left: string, right: readonly string[]) =>
  new Paragraph({
    style: STYLES.details,
    tabStops: [{ type: 'right', position: WIDTH }],
    children: [new TextRun({ children: [clean(left), new Tab(), ...right] })],
  })

/**
 * A Word document (Office Open XML) with its own heading styles, one numbered list of steps, tables and page numbers.
 */
export function writeDocx({ title, author, header, footer, blocks }: PdfDocument): Promise<Buffer> {
  const [left, right] = header
  const numbered = (format: (typeof LevelFormat)[keyof typeof LevelFormat], text: string, level = 0) => ({
    level,
    format,
    text,
    alignment: AlignmentType.START,
    style: { paragraph: { indent: { left: STEP_INDENT * (level + 1), hanging: STEP_INDENT } } },
  })
  const document = new Document({
    title: clean(title),
    creator: clean(author),
    lastModifiedBy: clean(author),
    description: clean(footer),
    styles: WORD_STYLES,
    numbering: {
      config: [
        { reference: STEPS, levels: [numbered(LevelFormat.DECIMAL, '%1.')] },
        {
          reference: BULLETS,
          levels: Array.from({ length: 9 }, (_, level) => numbered(LevelFormat.BULLET, '•', level)),
        },
      ],
    },
    sections: [
      {
        properties: {
          page: { size: A4, margin: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN } },
        },
        headers: { default: new Header({ children: [edgeLine(left, [clean(right)])] }) },
        footers: {
          default: new Footer({
            children: [edgeLine(footer, ['Page ', PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES])],
          }),
        },
        children: blocks.flatMap(written),
      },
    ],
  })
  return Packer.toBuffer(document)
}
