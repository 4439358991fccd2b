import { isSpace, withoutEnd } from '#contract/kit/cut.ts'
import { pick } from '#contract/kit/pick.ts'
import { isBlank, LONG_TEXT_MAX, tooLong } from '#contract/kit/text.ts'

import { wrongField } from './refusal.ts'
import { type Run, sanitise, tokens } from './rich-text.ts'

/** A block of formatted text. A line break is a run of its own, `\n`. */
export type FormattedBlock =
  | { readonly kind: 'paragraph'; readonly runs: readonly Run[] }
  | { readonly kind: 'heading'; readonly level: number; readonly runs: readonly Run[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'rule' }
  /** Numbered from `start`; a bullet list without it. */
  | {
      readonly kind: 'list'
      readonly start: number | null
      readonly items: readonly (readonly FormattedBlock[])[]
    }
  | { readonly kind: 'quote'; readonly blocks: readonly FormattedBlock[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly FormattedCell[])[] }
export interface FormattedCell {
  readonly isHeader: boolean
  readonly blocks: readonly FormattedBlock[]
}

interface Element {
  readonly tag: string
  readonly value: string | null
  readonly children: Node[]
}
type Node = string | Element
const isElement = (node: Node): node is Element => typeof node !== 'string'

function treeOf(html: string): Node[] {
  const root: Element = { tag: '', value: null, children: [] }
  const open = [root]
  for (const token of tokens(html)) {
    const { children } = open.at(-1)!
    if ('text' in token) children.push(token.text)
    else if (!token.opens) {
      const at = open.findLastIndex(({ tag }) => tag === token.tag)
      if (at > 0) open.length = at
    } else {
      const element = { tag: token.tag, value: token.value, children: [] }
      children.push(element)
      if (token.tag !== 'br' && token.tag !== 'hr') open.push(element)
    }
  }
  return root.children
}
const textIn = (nodes: readonly Node[]): string =>
  nodes.map((node) => (isElement(node) ? (node.tag === 'br' ? '\n' : textIn(node.children)) : node)).join('')

type Look = Omit<Run, 'text'>
/** Marks in the order in which tags are nested. A link stands outside of them. */
const MARKS = [
  ['italic', 'em'],
  ['bold', 'strong'],
  ['struck', 's'],
  ['underlined', 'u'],
  ['code', 'code'],
] as const
const MARK_OF: Readonly<Record<string, (typeof MARKS)[number][0]>> = {
  em: 'italic',
  i: 'italic',
  strong: 'bold',
  b: 'bold',
  s: 'struck',
  u: 'underlined',
  code: 'code',
}

const keyOf = (look: Look): string =>
  [look.link ?? '', ...MARKS.map(([mark]) => look[mark] ?? false)].join(' ')
/** Marks that two looks share. Code is left out, because blanks beside code are none. */
function sharedLook(one: Look | undefined, other: Look | undefined): Look {
  if (!one || !other) return {}
  const marks = MARKS.flatMap(([mark]) =>
    mark !== 'code' && one[mark] && other[mark] ? [[mark, true] as const] : [],
  )
  const link = one.link !== undefined && one.link === other.link ? { link: one.link } : {}
  return { ...Object.fromEntries(marks), ...link }
}

const BLANKS = /[ \t\r\n\f]+/g
const isBreak = ({ text }: Run) => text === '\n'
/** Parts of a run: code whole, blanks and words of other text apart. */
const partsOf = ({ link, ...marked }: Run): Run[] => {
  const text = marked.text.replace(BLANKS, ' ')
  if (text === '') return []
  // Nobody sees a link of blanks.
  const run = link === undefined || text.trim() === '' ? marked : { ...marked, link }
  if (run.code) return [{ ...run, text }]
  const [start, end] = [text.startsWith(' ') ? 1 : 0, text.endsWith(' ') ? text.length - 1 : text.length]
  if (start >= end) return [GAP]
  return [
    ...(start > 0 ? [GAP] : []),
    { ...run, text: text.slice(start, end) },
    ...(end < text.length ? [GAP] : []),
  ]
}
const GAP: Run = { text: ' ' }
const isGap = ({ text, code }: Run) => text === ' ' && !code

/** A line with single blanks, none of them at its ends or at the ends of a mark. */
function tidyLine(line: readonly Run[]): Run[] {
  const parts = line
    .flatMap(partsOf)
    .filter((part, n, all) => !isGap(part) || !all[n + 1] || !isGap(all[n + 1]!))
  if (parts.every(({ text, code }) => !code && isBlank(text))) return []
  while (parts[0] && isGap(parts[0])) parts.shift()
  while (parts.length > 0 && isGap(parts.at(-1)!)) parts.pop()
  const tidy: Run[] = []
  for (const [n, part] of parts.entries()) {
    const run = isGap(part) ? { text: ' ', ...sharedLook(parts[n - 1], parts[n + 1]) } : part
    const last = tidy.at(-1)
    if (last && keyOf(last) === keyOf(run)) tidy[tidy.length - 1] = { ...last, text: last.text + run.text }
    else tidy.push(run)
  }
  // Joined parts of code may have two blanks in a row.
  return tidy.map((run) => (run.code ? { ...run, text: run.text.replace(BLANKS, ' ') } : run))
}

/** The paragraphs of inline text. An empty line divides it. */
function paragraphsOf(runs: readonly Run[]): Run[][] {
  const lines: Run[][] = [[]]
  for (const run of runs)
    if (isBreak(run)) lines.push([])
    else lines.at(-1)!.push(run)
  const paragraphs: Run[][] = [[]]
  for (const line of lines.map(tidyLine)) {
    const last = paragraphs.at(-1)!
    if (line.length === 0) {
      if (last.length > 0) paragraphs.push([])
    } else last.push(...(last.length > 0 ? [{ text: '\n' }] : []), ...line)
  }
  return paragraphs.filter((paragraph) => paragraph.length > 0)
}

/** Code without empty lines around it, and without blanks on empty lines. */
function tidyCode(code: string): string {
  const lines = withoutEnd(code.replace(/\r\n?/g, '\n'), isSpace)
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : line))
  const first = lines.findIndex((line) => line !== '')
  return first < 0 ? '' : lines.slice(first).join('\n')
}

const HEADING = /^h([1-3])$/
const CELLS: readonly string[] = ['td', 'th']
const ROW_GROUPS: readonly string[] = ['thead', 'tbody']

/** Collects the blocks of nodes. Text outside of a block becomes a paragraph. */
class BlockReader {
  readonly #blocks: FormattedBlock[] = []
  #runs: Run[] = []

  read(nodes: readonly Node[], look: Look = {}): this {
    for (const node of nodes)
      if (isElement(node)) this.#readElement(node, look)
      else this.#runs.push({ ...look, text: node.replace(BLANKS, ' ') })
    return this
  }
  end(): FormattedBlock[] {
    this.#blocks.push(...paragraphsOf(this.#runs).map((runs) => ({ kind: 'paragraph', runs }) as const))
    this.#runs = []
    return this.#blocks
  }
  #readElement({ tag, value, children }: Element, look: Look): void {
    const mark = MARK_OF[tag]
    if (tag === 'br') this.#runs.push({ text: '\n' })
    else if (mark) this.read(children, { ...look, [mark]: true })
    else if (tag === 'a') this.read(children, value === null ? look : { ...look, link: value })
    else {
      this.end()
      this.#readBlock({ tag, value, children }, look)
      this.end()
    }
  }
  #readBlock({ tag, value, children }: Element, look: Look): void {
    const level = HEADING.exec(tag)?.[1]
    const inner = () => new BlockReader().read(children, look).end()
    if (tag === 'hr') this.#blocks.push({ kind: 'rule' })
    else if (tag === 'pre') {
      const text = tidyCode(textIn(children))
      if (text !== '') this.#blocks.push({ kind: 'code', text })
    } else if (level) this.#blocks.push(...inner().map((block) => headingOf(block, Number(level))))
    else if (tag === 'ul' || tag === 'ol') {
      const items = itemsOf(children, look)
      const start = tag === 'ol' ? Number(value ?? 1) : null
      if (items.length > 0) this.#blocks.push({ kind: 'list', start, items })
    } else if (tag === 'blockquote') {
      const blocks = inner()
      if (blocks.length > 0) this.#blocks.push({ kind: 'quote', blocks })
    } else if (tag === 'table') this.#readTable(children, look)
    else this.read(children, look)
  }
  /** Reads rows; what stands between cells becomes a cell, so that nothing is lost. */
  #readTable(nodes: readonly Node[], look: Look): void {
    const rows: FormattedCell[][] = []
    const readRows = (inside: readonly Node[]): void => {
      for (const node of inside) {
        if (!isElement(node)) {
          if (node.trim() !== '') rows.push([{ isHeader: false, blocks: cellBlocks([node], look) }])
        } else if (ROW_GROUPS.includes(node.tag)) readRows(node.children)
        else if (node.tag === 'tr') rows.push(node.children.flatMap((cell) => cellOf(cell, look)))
        else rows.push([{ isHeader: false, blocks: cellBlocks([node], look) }])
      }
    }
    readRows(nodes)
    const filled = rows.filter((row) => row.some(({ blocks }) => blocks.length > 0))
    if (filled.length > 0) this.#blocks.push({ kind: 'table', rows: filled })
  }
}
const headingOf = (block: FormattedBlock, level: number): FormattedBlock =>
  block.kind === 'paragraph'
    ? {
        kind: 'heading',
        level,
        runs: tidyLine(block.runs.map((run) => (isBreak(run) ? { text: ' ' } : run))),
      }
    : block
const itemsOf = (nodes: readonly Node[], look: Look): FormattedBlock[][] =>
  nodes
    .map((node) =>
      new BlockReader().read(isElement(node) && node.tag === 'li' ? node.children : [node], look).end(),
    )
    .filter((blocks) => blocks.length > 0)
/** The blocks of a cell. A table in it becomes lines. */
const cellBlocks = (nodes: readonly Node[], look: Look): FormattedBlock[] =>
  new BlockReader()
    .read(nodes, look)
    .end()
    .flatMap((block): FormattedBlock[] =>
      block.kind === 'table'
        ? textOfFormatted([block])
            .split('\n')
            .map((text) => ({ kind: 'paragraph', runs: [{ text }] }) as const)
        : [block],
    )
const cellOf = (node: Node, look: Look): FormattedCell[] => {
  if (!isElement(node))
    return node.trim() === '' ? [] : cellOf({ tag: 'td', value: null, children: [node] }, look)
  const nodes = CELLS.includes(node.tag) ? node.children : [node]
  return [{ isHeader: node.tag === 'th', blocks: cellBlocks(nodes, look) }]
}

/** Reads sanitised rich text as blocks. Two texts that look alike have equal blocks. */
export const readFormatted = (html: string): FormattedBlock[] => new BlockReader().read(treeOf(html)).end()

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one]!)
const escapedText = (text: string): string => escaped(text).replaceAll('&quot;', '"')

function runsHtml(runs: readonly Run[]): string {
  const tagsOf = (run: Run): string[] => [
    ...(run.link === undefined
      ? []
      : [`a href="${escaped(run.link)}" rel="noopener noreferrer nofollow" target="_blank"`]),
    ...MARKS.flatMap(([mark, tag]) => (run[mark] ? [tag] : [])),
  ]
  let html = ''
  let open: readonly string[] = []
  const change = (tags: readonly string[]) => {
    const differing = open.findIndex((tag, n) => tag !== tags[n])
    const kept = differing < 0 ? open.length : differing
    for (const tag of open.slice(kept).toReversed()) html += `</${tag.split(' ', 1)[0]}>`
    for (const tag of tags.slice(kept)) html += `<${tag}>`
    open = tags
  }
  for (const run of runs) {
    change(tagsOf(run))
    html += isBreak(run) ? '<br />' : escapedText(run.text)
  }
  change([])
  return html
}
function blockHtml(block: FormattedBlock): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${runsHtml(block.runs)}</p>`
    case 'heading':
      return `<h${block.level}>${runsHtml(block.runs)}</h${block.level}>`
    case 'code':
      return `<pre><code>${escapedText(block.text)}</code></pre>`
    case 'rule':
      return '<hr />'
    case 'quote':
      return `<blockquote>${writeFormatted(block.blocks)}</blockquote>`
    case 'list': {
      const { start, items } = block
      const inner = items.map((blocks) => `<li>${writeFormatted(blocks)}</li>`).join('')
      if (start === null) return `<ul>${inner}</ul>`
      return `<ol${start === 1 ? '' : ` start="${start}"`}>${inner}</ol>`
    }
    default:
      return `<table><tbody>${block.rows.map(rowHtml).join('')}</tbody></table>`
  }
}
const rowHtml = (row: readonly FormattedCell[]): string => {
  const cells = row.map(({ isHeader, blocks }) => {
    const tag = isHeader ? 'th' : 'td'
    return `<${tag}>${blocks.length === 0 ? '<p></p>' : writeFormatted(blocks)}</${tag}>`
  })
  return `<tr>${cells.join('')}</tr>`
}
/** Blocks as rich text, in one form only, as the editor writes it. */
export const writeFormatted = (blocks: readonly FormattedBlock[]): string => blocks.map(blockHtml).join('')

/** The text of a link with its address. An address that is its own text stands alone. */
export function linkText(text: string, href: string): string {
  const bare = href.replace(/^mailto:/i, '')
  return text.trim() === '' || text === href || text === bare ? bare : `${text} (${href})`
}
/** Runs in groups of the same link. */
export function byLink(runs: readonly Run[]): Run[][] {
  const groups: Run[][] = []
  for (const run of runs) {
    const last = groups.at(-1)
    if (last && last[0]!.link === run.link && !isBreak(run) && !isBreak(last[0]!)) last.push(run)
    else groups.push([run])
  }
  return groups
}
const wordsOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('')
const runsText = (runs: readonly Run[]): string =>
  byLink(runs)
    .map((group) => {
      const { link } = group[0]!
      return link === undefined ? wordsOf(group) : linkText(wordsOf(group), link)
    })
    .join('')

/** Characters of a column's heading that each of its cells repeats. */
const LABEL_MAX = 40
/** A row of a table as text. Line breaks in cells become commas. */
export interface TextRow {
  readonly isHeading: boolean
  readonly cells: readonly string[]
}
/** A table as lines: “Manager: Decides” with two columns, “Who: Manager · What: Decides” with more. */
export function tableLines(
  rows: readonly TextRow[],
  cutLabel: (label: string, max: number) => string = (label) => label,
): string[] {
  const texts = rows.map(({ cells }) =>
    cells.map((cell) =>
      cell
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
        .join(', '),
    ),
  )
  const labels = rows[0]?.isHeading ? texts[0]! : []
  const others = texts.slice(1)
  const isWide = labels.length > 2 && others.length > 0
  const isSaid = (label: string, column: number) =>
    label === '' || (label.length <= LABEL_MAX && others.some((cells) => cells[column]))
  const withLabels = (cells: readonly string[]) =>
    cells.map((cell, column) =>
      labels[column] && cell ? `${cutLabel(labels[column], LABEL_MAX)}: ${cell}` : cell,
    )
  const lineOf = (cells: readonly string[], separator = ' · ') => cells.filter(Boolean).join(separator)
  const lines = isWide
    ? [...(labels.every(isSaid) ? [] : [lineOf(labels)]), ...others.map((cells) => lineOf(withLabels(cells)))]
    : texts.map((cells) => lineOf(cells, cells.length === 2 ? ': ' : undefined))
  return lines.filter(Boolean)
}

const NESTED_INDENT = '  '
function blockText(block: FormattedBlock): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return runsText(block.runs)
    case 'code':
      return block.text
    case 'rule':
      return ''
    case 'quote':
      return textOfFormatted(block.blocks)
    case 'list': {
      const { start, items } = block
      return items.map((blocks, n) => itemText(start === null ? '-' : `${start + n}.`, blocks)).join('\n')
    }
    default: {
      const rows = block.rows.map((row) => ({
        isHeading: row.every(({ isHeader }) => isHeader),
        cells: row.map(({ blocks }) => textOfFormatted(blocks)),
      }))
      return tableLines(rows).join('\n')
    }
  }
}
function itemText(marker: string, blocks: readonly FormattedBlock[]): string {
  const [first = '', ...rest] = textOfFormatted(blocks).split('\n')
  return [`${marker} ${first}`, ...rest.map((line) => (line === '' ? '' : `${NESTED_INDENT}${line}`))].join(
    '\n',
  )
}
/**
 * Blocks as plain text: lines are kept, lists have `-` or numbers, code stands as it is, links have their address. An
 * empty line separates blocks; a list follows its sentence directly.
 */
export function textOfFormatted(blocks: readonly FormattedBlock[]): string {
  let text = ''
  for (const block of blocks) {
    const one = blockText(block)
    if (one !== '') text += text === '' ? one : `${block.kind === 'list' ? '\n' : '\n\n'}${one}`
  }
  return text
}

/** True for a look that plain text does not have. Addresses become links there, too. */
const hasLook = (group: readonly Run[]): boolean =>
  group.some((run) => MARKS.some(([mark]) => run[mark])) ||
  (group[0]?.link !== undefined && linkText(wordsOf(group), group[0].link) !== wordsOf(group))
const isFormatted = (block: FormattedBlock): boolean =>
  block.kind !== 'paragraph' || byLink(block.runs).some(hasLook)

/** A description: its plain text, and the same with formatting where it has any. */
export interface Description {
  readonly description: string
  /** Sanitised rich text, which `writeFormatted` wrote; null for plain text. */
  readonly formattedDescription: string | null
}
/** A description of rich text of any source. Rich text that only consists of lines is plain. */
export function describe(html: string): Description {
  const blocks = readFormatted(sanitise(html))
  const description = textOfFormatted(blocks)
  const isPlain = isBlank(description) || !blocks.some(isFormatted)
  return { description, formattedDescription: isPlain ? null : writeFormatted(blocks) }
}

/** The fields of a description in a request. */
interface SentDescription {
  readonly description?: string | undefined
  readonly formattedDescription?: string | null | undefined
}
/** Rich text to store; null for plain text, undefined where nothing changes. */
function changedHtml(
  { description, formattedDescription: html }: SentDescription,
  stored: Description | undefined,
): string | null | undefined {
  if (!stored) return html ?? null
  const isSameText = description === undefined || description === stored.description
  if (html === undefined) return isSameText ? undefined : null
  if (html === null || html !== stored.formattedDescription) return html
  // A program may have sent back the rich text that it read, with a changed text.
  return isSameText || isBlank(description) ? undefined : null
}
/**
 * The description to store (docs/decisions/097). Rich text decides where it is sent; its plain text is derived. Plain
 * text alone keeps the formatting only while it is unchanged, also where the stored rich text is sent along.
 * @param stored the description so far
 * @param fieldOf the path of a field in the request
 * @throws Refusal 400 where stored text would exceed the limit
 */
export function describedBy(
  sent: SentDescription,
  stored: Description | undefined,
  fieldOf: (field: keyof Description) => string = (field) => field,
): Description {
  const kept = stored && pick(stored, ['description', 'formattedDescription'])
  const html = changedHtml(sent, kept)
  if (html === undefined) return kept!
  if (html === null)
    return { description: sent.description ?? kept?.description ?? '', formattedDescription: null }
  const described = describe(html)
  // Escaping lengthens text, and stored text must fit when it is sent back.
  for (const field of ['formattedDescription', 'description'] as const)
    if ((described[field]?.length ?? 0) > LONG_TEXT_MAX)
      throw wrongField(fieldOf(field), tooLong(LONG_TEXT_MAX))
  return described
}
