import { isBlank } from '#contract/kit/text.ts'
import sanitizeHtml from 'sanitize-html'

/** Tags that the product's editor creates. */
const TAGS = [
  'p',
  'br',
  'strong',
  'b',
  'em',
  'i',
  'u',
  's',
  'code',
  'pre',
  'h1',
  'h2',
  'h3',
  'ul',
  'ol',
  'li',
  'blockquote',
  'hr',
  'a',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
]
// Bounded repetitions, so that hostile input cannot slow the search down.
const ATTRIBUTE = `\\s{1,9}[^\\s"'<>/=]{1,99}(?:\\s{0,9}=\\s{0,9}(?:"[^"]{0,2500}"|'[^']{0,2500}'|[^\\s"'=<>\`]{1,2500}))?`
const NOT_OURS = new RegExp(
  `<(?!/(?:${TAGS.join('|')})\\s{0,9}>|(?:${TAGS.join('|')})(?:${ATTRIBUTE}){0,9}\\s{0,9}/?>)`,
  'gi',
)

/** HTML elements that only lay text out. Blocks begin lines of their own. */
const LAYOUT_BLOCKS =
  'address article aside body caption center dd details div dl dt fieldset figcaption figure footer form h4 h5 h6 header html main nav section summary'.split(
    ' ',
  )
const LAYOUT_PARTS =
  'abbr acronym bdi bdo big cite col colgroup del dfn font head ins kbd label link mark meta nobr q samp small span sub sup tfoot time title tt var wbr'.split(
    ' ',
  )
/** Tags of these, of Office (`<o:p>`), and of the product. */
const LAYOUT = new RegExp(
  `</?(${[...TAGS, ...LAYOUT_BLOCKS, ...LAYOUT_PARTS].join('|')}|(?:[movwx]|st1):[a-z]{1,30})(?:${ATTRIBUTE}){0,9}\\s{0,9}/?>`,
  'gi',
)

const BLOCKS: readonly string[] = ['p', 'pre', 'h1', 'h2', 'h3', 'li', 'blockquote', 'ul', 'ol']
const CELLS: readonly string[] = ['td', 'th']
const TABLE_PARTS: readonly string[] = [...CELLS, 'tr', 'tbody', 'thead', 'table']

const NESTING_MAX = 100
const NONE: sanitizeHtml.Attributes = {}
const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: { a: ['href', 'rel', 'target'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  // Drops tags of deeper nesting and keeps their text.
  nestingLimit: NESTING_MAX,
  transformTags: {
    a: (tagName, { href = '' }) => {
      const attribs = { href, rel: 'noopener noreferrer nofollow', target: '_blank' }
      return { tagName, attribs: /^(?:https?:\/\/|mailto:)/i.test(href) ? attribs : NONE }
    },
    ol: (tagName, { start = '' }) => ({ tagName, attribs: /^\d{1,6}$/.test(start) ? { start } : NONE }),
  },
}

/** Elements that end a line or paragraph. */
const ENDS_LINE = ['br', 'hr', ...BLOCKS, ...TABLE_PARTS]
/** Removes tags that only lay text out. Keeps their text; blocks begin and end lines. Linear time. */
function withoutLayout(html: string): string {
  let end = 0
  let isLineStart = true
  return html.replace(LAYOUT, (tag: string, name: string, at: number) => {
    if (html.slice(end, at).trim() !== '') isLineStart = false
    end = at + tag.length
    const kind = name.toLowerCase()
    if (ENDS_LINE.includes(kind)) isLineStart = true
    if (TAGS.includes(kind)) return tag
    if (isLineStart || !LAYOUT_BLOCKS.includes(kind)) return ''
    isLineStart = true
    return '<br />'
  })
}

/**
 * Rich text that is safe to display. Keeps the editor's markup, and the text of tags that only lay text out. Everything
 * else stays as typed text: `a < b`, `<https://example.org>` and a pasted script are readable and inert.
 */
export const sanitise = (html: string): string =>
  sanitizeHtml(withoutLayout(html).replace(NOT_OURS, '&lt;'), OPTIONS)

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }
// Decodes in one pass, so that `&amp;lt;` becomes `&lt;` and not `<`. Sanitised text has no other entities.
const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot);/g, (whole, name: string) => ENTITIES[name] ?? whole)

/** A text or tag of sanitised rich text; `value` is the address of a link or the start of a list. */
export type Token =
  | { readonly text: string }
  | { readonly tag: string; readonly opens: boolean; readonly value: string | null }
/** Reads sanitised rich text text by text and tag by tag. */
export function* tokens(html: string): Generator<Token> {
  for (const [part, closing, tag, value] of html.matchAll(
    /<(\/?)([a-z0-9]{1,10})(?: (?:href|start)="([^"<>]*)")?[^<>]*>|[^<]+/g,
  )) {
    if (tag === undefined) yield { text: decoded(part) }
    else yield { tag, opens: closing === '', value: value === undefined ? null : decoded(value) }
  }
}

/** Separates cells where a table is written as text. */
const CELL_SEPARATOR = ' | '

/** A table row as one line, in which line breaks become spaces; empty where all cells are. */
const rowText = (cells: readonly string[]): string => {
  const words = cells.map((cell) => cell.replace(/\s+/g, ' ').trim())
  return words.some((one) => one !== '') ? words.join(CELL_SEPARATOR) : ''
}

/**
 * The text of sanitised rich text without its markup, empty where nothing is visible; blocks end as line breaks, rows
 * of tables become lines.
 */
export function plainText(html: string): string {
  let text = ''
  let row: string[] = []
  let isInCell = false
  const push = (part: string) => {
    if (isInCell) row[row.length - 1] += part
    else text += part
  }
  for (const token of tokens(html)) {
    if ('text' in token) push(token.text)
    else if (CELLS.includes(token.tag)) {
      if (token.opens) row.push('')
      isInCell = token.opens
    } else if (token.tag === 'tr' || token.tag === 'table') {
      text += `\n${rowText(row)}\n`
      row = []
      isInCell = false
    } else if (token.tag === 'br' || token.tag === 'hr' || (!token.opens && BLOCKS.includes(token.tag)))
      push('\n')
  }
  const lines = `${text}${rowText(row)}`.split('\n').map((line) => line.trim())
  const said = lines.filter((line) => line !== '').join('\n')
  return isBlank(said) ? '' : said
}

/** Text with one formatting. */
export interface Run {
  readonly text: string
  readonly bold?: boolean
  readonly italic?: boolean
  readonly underlined?: boolean
  readonly struck?: boolean
  readonly code?: boolean
  readonly link?: string
}
export interface RichCell {
  readonly isHeader: boolean
  readonly blocks: readonly RichBlock[]
}
export interface RichBlock {
  readonly kind: 'paragraph' | 'heading' | 'code' | 'rule' | 'table'
  /** Nesting depth in lists and quotations. */
  readonly depth: number
  /** Bullet or number before the first line of a list item. */
  readonly marker?: string
  readonly quoted?: boolean
  readonly runs: readonly Run[]
  /** Rows of a table, which may differ in their number of cells. */
  readonly rows?: readonly (readonly RichCell[])[]
}

const LOOKS: Readonly<Record<string, keyof Run>> = {
  strong: 'bold',
  b: 'bold',
  em: 'italic',
  i: 'italic',
  u: 'underlined',
  s: 'struck',
  code: 'code',
  a: 'link',
}

/** Reads sanitised rich text as a flat sequence of blocks, for documents that are not HTML. */
export const readRichText = (html: string): RichBlock[] => readBlocks(tokens(html))

/** Reads the rows of a table up to its end. Content between cells becomes a cell too, so that nothing is lost. */
function readTable(source: Iterator<Token>): RichCell[][] {
  const rows: RichCell[][] = []
  const add = (cell: RichCell) => {
    if (rows.length === 0) rows.push([])
    rows.at(-1)!.push(cell)
  }
  for (let next = source.next(); !next.done; next = source.next()) {
    const token = next.value
    if ('text' in token) {
      const text = token.text.trim()
      if (text !== '') add({ isHeader: false, blocks: [{ kind: 'paragraph', depth: 0, runs: [{ text }] }] })
    } else if (token.tag === 'table' && !token.opens) break
    else if (token.tag === 'tr' && token.opens) rows.push([])
    else if (CELLS.includes(token.tag) && token.opens)
      add({ isHeader: token.tag === 'th', blocks: readBlocks(source, token.tag) })
  }
  return rows.filter((row) => row.length > 0)
}
/** A table row as one line: for a table within a cell, or with too many columns for a page. */
export const rowAsLine = (row: readonly RichCell[], depth: number): RichBlock => ({
  kind: 'paragraph',
  depth,
  runs: row.flatMap(({ blocks }, n) => [
    ...(n > 0 ? [{ text: CELL_SEPARATOR }] : []),
    ...blocks.flatMap(({ runs }, at) => (at > 0 ? [{ text: ' ' }, ...runs] : runs)),
  ]),
})

/** Reads blocks up to the end of the text, or of the cell that `cell` names. */
function readBlocks(source: Iterator<Token>, cell?: string): RichBlock[] {
  const blocks: RichBlock[] = []
  const containers: { tag: string; next: number }[] = []
  /** Values of the open tags by formatting. */
  const looks: Record<string, (string | null)[]> = {}
  const open = (tag: string) => (looks[tag] ??= [])
  let kind: RichBlock['kind'] = 'paragraph'
  let marker: string | undefined
  let runs: Run[] = []

  const finish = () => {
    const last = runs.at(-1)
    if (last && kind !== 'code') runs[runs.length - 1] = { ...last, text: last.text.trimEnd() }
    if (runs.some((run) => run.text.trim() !== '')) {
      const quoted = containers.some(({ tag }) => tag === 'blockquote')
      blocks.push({
        kind,
        depth: containers.length,
        ...(marker === undefined ? {} : { marker }),
        ...(quoted ? { quoted } : {}),
        runs,
      })
      marker = undefined
    }
    runs = []
  }
  const pushText = (text: string) => {
    // The editor writes no line breaks, so these come from other sources.
    const shown = kind === 'code' ? text : text.replace(/[ \t\r]+/g, ' ')
    const used = Object.entries(looks).filter(([, values]) => values.length > 0)
    const look = Object.fromEntries(
      used.map(([tag, values]) => [LOOKS[tag], tag === 'a' ? values.at(-1) : true]),
    )
    // Whitespace between blocks only lays out the source.
    if (runs.length > 0) runs.push({ text: shown, ...look })
    else if (shown.trim() !== '') runs.push({ text: kind === 'code' ? shown : shown.trimStart(), ...look })
  }
  const openBlock = (tag: string, value: string | null) => {
    finish()
    if (tag === 'li') {
      const parent = containers.at(-1)
      marker = parent?.tag === 'ol' ? `${parent.next++}.` : '•'
    } else if (tag === 'ul' || tag === 'ol' || tag === 'blockquote') {
      containers.push({ tag, next: tag === 'ol' && value !== null ? Number(value) : 1 })
    } else if (tag !== 'p') kind = tag === 'pre' ? 'code' : 'heading'
  }
  const closeBlock = (tag: string) => {
    finish()
    if (tag === 'ul' || tag === 'ol' || tag === 'blockquote') containers.pop()
    else if (tag === 'li') marker = undefined
    else kind = 'paragraph'
  }

  const pushTable = () => {
    finish()
    const depth = containers.length
    const rows = readTable(source)
    if (cell !== undefined) blocks.push(...rows.map((row) => rowAsLine(row, depth)))
    else if (rows.length > 0) blocks.push({ kind: 'table', depth, runs: [], rows })
  }

  for (let next = source.next(); !next.done; next = source.next()) {
    const token = next.value
    if ('text' in token) pushText(token.text)
    else if (token.tag === cell && !token.opens) break
    else if (token.tag === 'br') runs.push({ text: '\n' })
    else if (token.tag === 'hr') {
      finish()
      blocks.push({ kind: 'rule', depth: containers.length, runs: [] })
    } else if (token.tag === 'table' && token.opens) pushTable()
    else if (TABLE_PARTS.includes(token.tag)) finish()
    else if (BLOCKS.includes(token.tag)) {
      if (token.opens) openBlock(token.tag, token.value)
      else closeBlock(token.tag)
    } else if (token.opens) open(token.tag).push(token.value)
    else open(token.tag).pop()
  }
  finish()
  return blocks
}
