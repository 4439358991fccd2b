import { Parser } from 'htmlparser2'

import { cutText } from '#contract/playbook-imports/rules.ts'
import { linkText, tableLines } from '#server/kit/core/formatted-text.ts'

import { type Notebook, wrongLine } from './reading.content.ts'

/** Element whose text keeps its white space. */
export const VERBATIM = 'x-verbatim'
/** Element that stands for a script or frame within a line. */
export const OMITTED = 'x-omitted'
/** Elements in each other. A hostile file would otherwise exhaust the stack. */
const DEPTH_MAX = 500
const TOO_DEEP = 'HTML elements are nested too deeply.'

/** As wikis write it: code stands in `<![CDATA[…]]>`, and empty elements end themselves. */
const OPTIONS = { recognizeCDATA: true, recognizeSelfClosing: true }

const namesOf = (names: string): ReadonlySet<string> => new Set(names.split(' '))
const BLOCKS = namesOf(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody td ' +
    'tfoot th thead tr ul',
)
const LISTS = namesOf('ul ol menu dir')
/** Elements that are left out, with what a note calls them. */
export const LEFT_OUT: ReadonlyMap<string, string> = new Map([
  [OMITTED, 'A script or frame'],
  ['script', 'A script'],
  ['style', 'A style sheet'],
  ['iframe', 'A frame'],
  ['frame', 'A frame'],
  ['noframes', 'A frame'],
  ['form', 'A form'],
  ['button', 'A button'],
  ['select', 'A form field'],
  ['textarea', 'A form field'],
  ['template', 'A template'],
])
/** Schemes of links that are kept. Relative links have none. */
const KEPT_SCHEMES = /^(https?|mailto|tel|sms|s?ftp):/i
const SCHEME = /^[a-z][a-z\d+.-]*:/i
const CALLOUT = /^\[!([\w-]+)\][+-]?[ \t]*/

interface Text {
  text: string
  /** True where white space counts, as in Markdown and in `pre`. */
  readonly isVerbatim: boolean
}
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Node[]
  readonly line: number
  /** True for an element that begins a line of its own, or contains one that does. */
  isBlock: boolean
}
export type Node = Text | Element
export const isElement = (node: Node): node is Element => 'name' in node

/** The comment that says at which line of the file the next elements stand. */
export const lineMark = (line: number): string => `<!--@${line}-->`
const LINE_MARK = /^@(\d{1,7})$/

/**
 * Parses HTML, whatever is wrong with it.
 * @throws Refusal 400 where elements are nested too deeply
 */
export function parseHtml(html: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], line: 1, isBlock: true }
  const open = [root]
  let [line, verbatim] = [1, 0]
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === VERBATIM || name === 'pre') verbatim += 1
        if (name === VERBATIM) return
        const element: Element = { name, attributes, children: [], line, isBlock: BLOCKS.has(name) }
        open.at(-1)!.children.push(element)
        open.push(element)
        if (open.length > DEPTH_MAX) throw wrongLine(line, TOO_DEEP)
      },
      onclosetag(name) {
        if (name === VERBATIM || name === 'pre') verbatim -= 1
        if (name === VERBATIM) return
        const { isBlock } = open.pop()!
        if (isBlock) open.at(-1)!.isBlock = true
      },
      ontext(text) {
        const { children } = open.at(-1)!
        const last = children.at(-1)
        const isVerbatim = verbatim > 0
        if (last && !isElement(last) && last.isVerbatim === isVerbatim) last.text += text
        else children.push({ text, isVerbatim })
      },
      oncomment(comment) {
        line = Number(LINE_MARK.exec(comment)?.[1] ?? line)
      },
    },
    OPTIONS,
  )
  parser.end(html)
  return root
}

/**
 * A part of a file of HTML that ends itself: an unfinished tag becomes text, and an open script is closed, so that
 * neither hides what follows.
 */
export function closedHtml(part: string): string {
  let [left, depth, unfinished] = ['', 0, -1]
  const parser = new Parser(
    {
      onopentagname: () => {
        unfinished = parser.startIndex
      },
      onopentag: () => {
        unfinished = -1
        depth += 1
        if (depth > DEPTH_MAX) throw wrongLine(1, TOO_DEEP)
      },
      onclosetag: (name, isImplied) => {
        depth -= 1
        if (isImplied && RAW.has(name)) left = `</${name}>`
      },
    },
    OPTIONS,
  )
  parser.end(part)
  if (left !== '') return `${part}${left}`
  const end = unfinished < 0 ? parser.startIndex : unfinished
  return `${part.slice(0, end)}${part.slice(end).replaceAll('<', '&lt;')}`
}
/** Elements whose contents are no HTML. */
export const RAW = namesOf('script style title textarea xmp iframe noembed noframes noscript plaintext')

/** Counts words, which are apart by white space. */
const wordsIn = (nodes: readonly Node[]): number => {
  let text = ''
  const collect = (node: Node): void => {
    if (isElement(node)) for (const child of node.children) collect(child)
    else text += ` ${node.text}`
  }
  for (const node of nodes) collect(node)
  return text.split(/\s+/).filter(Boolean).length
}

/** True for the address of a link that is kept: not a place in the file, and of no odd scheme. */
export const isKeptLink = (href: string): boolean =>
  href !== '' && !href.startsWith('#') && (!SCHEME.test(href) || KEPT_SCHEMES.test(href))
function keptLinkText(text: string, href: string, note: (message: string) => void): string {
  if (isKeptLink(href)) return linkText(text, href)
  if (SCHEME.test(href)) note(`A link was left out: ${cutText(href, 60)}`)
  return text
}

/** Collects the lines of a paragraph in parts, which are joined once: a text may have a megabyte. */
class Lines {
  readonly #lines: string[][] = [[]]
  /** True after white space that the next one adds nothing to, and that does not end a line. */
  #isSpaced = true

  write(text: string): void {
    if (text === '') return
    this.#lines.at(-1)!.push(text)
    this.#isSpaced = false
  }
  /** Writes text of HTML, in which any white space is one blank. */
  writeCollapsed(text: string): void {
    const one = text.replace(/[ \t\r\n\f]+/g, ' ')
    const begun = this.#isSpaced && one.startsWith(' ') ? one.slice(1) : one
    if (begun === '') return
    if (begun.endsWith(' ')) {
      this.write(begun.slice(0, -1))
      this.#lines.at(-1)!.push(' ')
      this.#isSpaced = true
    } else this.write(begun)
  }
  breakLine(): void {
    this.#endLine()
    this.#lines.push([])
    this.#isSpaced = true
  }
  #endLine(): void {
    const line = this.#lines.at(-1)!
    if (this.#isSpaced && line.at(-1) === ' ') line.pop()
  }
  /** Where a link begins. */
  position(): [line: number, part: number] {
    return [this.#lines.length, this.#lines.at(-1)!.length]
  }
  endLink([line, part]: [number, number], href: string, note: (message: string) => void): void {
    const text = this.#lines.at(-1)!.splice(line === this.#lines.length ? part : 0)
    this.write(keptLinkText(text.join(''), href, note))
  }
  joined(): string[] {
    this.#endLine()
    return this.#lines.map((parts) => parts.join(''))
  }
}

function writeLines(node: Node, lines: Lines, notes: Notebook): void {
  if (!isElement(node)) {
    if (node.isVerbatim) lines.write(node.text)
    else lines.writeCollapsed(node.text)
    return
  }
  const { name, attributes, children, line } = node
  const note = (message: string) => notes.add(line, message)
  const writeAll = () => {
    for (const child of children) writeLines(child, lines, notes)
  }
  const leftOut = LEFT_OUT.get(name)
  if (leftOut !== undefined) note(`${leftOut} was left out (${countOf(wordsIn(children))}).`)
  else if (name === 'br') lines.breakLine()
  else if (name === 'img') {
    const { alt = '' } = attributes
    note(`A picture was left out${alt ? `: ${alt}` : '.'}`)
  } else if (name === 'a') {
    const start = lines.position()
    writeAll()
    lines.endLink(start, attributes['href'] ?? '', note)
  } else writeAll()
}
const countOf = (words: number) => (words === 1 ? '1 word' : `${words} words`)

/** The lines of a paragraph as plain text. */
export function linesOf(nodes: readonly Node[], notes: Notebook): string[] {
  const lines = new Lines()
  for (const node of nodes) writeLines(node, lines, notes)
  return lines.joined()
}

const isBlank = (node: Node) => !isElement(node) && !node.isVerbatim && node.text.trim() === ''
/** A paragraph of inline nodes, or an element that begins a line. */
export type Block = { readonly inline: readonly Node[]; readonly line: number } | Element
export const isParagraph = (block: Block): block is Exclude<Block, Element> => 'inline' in block

/** The blocks of an element's contents. Inline nodes between two of them are a paragraph. */
export function blocksOf(nodes: readonly Node[]): Block[] {
  const blocks: Block[] = []
  let inline: Node[] = []
  const end = () => {
    if (!inline.every(isBlank)) blocks.push({ inline, line: inline.find(isElement)?.line ?? 0 })
    inline = []
  }
  for (const node of nodes)
    if (isElement(node) && node.isBlock) {
      end()
      const isText = node.name === 'p' && !node.children.some((child) => isElement(child) && child.isBlock)
      blocks.push(isText ? { inline: node.children, line: node.line } : node)
    } else inline.push(node)
  end()
  return blocks
}

export const isList = (block: Block): boolean => !isParagraph(block) && LISTS.has(block.name)
/** The items of a list, with anything that a broken file has beside them. */
export const itemsOf = ({ children, line }: Element): Element[] =>
  blocksOf(children).map((block) =>
    isParagraph(block)
      ? { name: 'li', attributes: {}, children: [...block.inline], line, isBlock: true }
      : block.name === 'li'
        ? block
        : { ...block, name: 'li', children: [block] },
  )

const NESTED_INDENT = '  '
/** A nested list as plain lines with markers. */
function listText(list: Element, notes: Notebook): string {
  const start = Number(list.attributes['start'] ?? 1)
  return itemsOf(list)
    .flatMap(({ children }, n) => {
      const marker = list.name === 'ol' ? `${start + n}.` : '-'
      const [first = '', ...rest] = textOf(children, notes).split('\n')
      return [`${marker} ${first}`, ...rest.map((line) => (line === '' ? '' : `${NESTED_INDENT}${line}`))]
    })
    .join('\n')
}

const within = (element: Element, names: ReadonlySet<string>): Element[] =>
  element.children.filter(isElement).flatMap((child) => {
    if (names.has(child.name)) return [child]
    return ROW_GROUPS.has(child.name) ? within(child, names) : []
  })
const ROW_GROUPS = namesOf('thead tbody tfoot')
const ROWS = namesOf('tr')
const CELLS = namesOf('td th')
const isHeading = ({ children }: Element) => {
  const cells = children.filter(isElement)
  return cells.length > 0 && cells.every(({ name }) => name === 'th')
}
/** The cells of each row of a table. */
export const rowsOf = (table: Element): Element[][] => within(table, ROWS).map((row) => within(row, CELLS))
function tableText(table: Element, notes: Notebook): string {
  const rows = within(table, ROWS).map((row) => ({
    isHeading: isHeading(row),
    cells: within(row, CELLS).map(({ children }) => textOf(children, notes)),
  }))
  return [textOf(besides(table), notes), ...tableLines(rows, cutText)].filter(Boolean).join('\n')
}
/** The nodes of a table outside of its rows, such as its caption. */
export const besides = ({ children }: Element): Node[] =>
  children.filter((child) => !isElement(child) || !(ROW_GROUPS.has(child.name) || ROWS.has(child.name)))

export const DIRECT = namesOf('dt summary')
/** A definition list, or the details of a summary: each term with what belongs to it below. */
function termsText({ children }: Element, notes: Notebook): string {
  return blocksOf(children)
    .map((block) => {
      const text = blockText(block, notes)
      return text !== '' && !isParagraph(block) && DIRECT.has(block.name)
        ? `${text.trimEnd().replace(/:$/, '')}:`
        : text
    })
    .filter(Boolean)
    .join('\n')
}

/** The name of a callout as a word: `[!NOTE] Mind the step` becomes “Note: Mind the step”. */
export const calloutText = (text: string) =>
  text.replace(CALLOUT, (_, kind: string) => `${kind[0]!.toUpperCase()}${kind.slice(1).toLowerCase()}: `)

/** The readable text of a block; empty for one that is left out. */
export function blockText(block: Block, notes: Notebook): string {
  if (isParagraph(block)) return linesOf(block.inline, notes).join('\n')
  const { name, children } = block
  if (LISTS.has(name)) return listText(block, notes)
  if (name === 'table') return tableText(block, notes)
  if (name === 'dl' || name === 'details') return termsText(block, notes)
  if (name === 'blockquote') return calloutText(textOf(children, notes))
  if (name === 'pre') return linesOf(children, notes).join('\n').replace(/^\n/, '').replace(/\n$/, '')
  const leftOut = LEFT_OUT.get(name)
  if (leftOut === undefined) return textOf(children, notes)
  notes.add(block.line, `${leftOut} was left out (${countOf(wordsIn(children))}).`)
  return ''
}
/** Blocks as plain text, separated by empty lines; a list follows its sentence directly. */
export function textOf(nodes: readonly Node[], notes: Notebook): string {
  let text = ''
  for (const block of blocksOf(nodes)) {
    const one = blockText(block, notes)
    if (one !== '') text += text === '' ? one : `${isList(block) ? '\n' : '\n\n'}${one}`
  }
  return text
}

/** The only element of a paragraph beside blanks and colons; null where there is another. */
export function onlyElements(nodes: readonly Node[], names: ReadonlySet<string>): Element[] | null {
  const outer = nodes.filter((node) => isElement(node) || !/^[\s:]*$/.test(node.text))
  const found = outer.filter((node): node is Element => isElement(node) && names.has(node.name))
  return outer.length > 0 && found.length === outer.length ? found : null
}
