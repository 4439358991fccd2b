import { isSpace, splitEnds } from '#contract/kit/cut.ts'
import {
  byLink,
  type FormattedBlock,
  textOfFormatted,
  writeFormatted,
} from '#server/kit/core/formatted-text.ts'
import type { Run } from '#server/kit/core/rich-text.ts'

import { asCodes, escapedStart, escapedText } from './escapes.content.ts'

const isBreak = ({ text }: Run) => text === '\n'
/** The longest run of backticks in code. */
const ticksIn = (code: string): number =>
  Math.max(0, ...(code.match(/`+/g) ?? []).map(({ length }) => length))

function codeSpan(code: string, isLink: boolean): string {
  // Brackets in a link could make it the definition of one, and spans of blanks are none.
  if (code.trim() === '' || (isLink && /[[\]]/.test(code))) return `<code>${textWithEnds(code)}</code>`
  const ticks = '`'.repeat(ticksIn(code) + 1)
  const needsSpace = /^`|`$|^ .* $/.test(code)
  return needsSpace ? `${ticks} ${code} ${ticks}` : `${ticks}${code}${ticks}`
}
function textWithEnds(text: string): string {
  const [before, middle, after] = splitEnds(text, isSpace)
  return `${asCodes(before)}${escapedText(middle)}${asCodes(after)}`
}

/** Characters beside a run, and the sign that the text before it ends with. */
interface Beside {
  /** True at the start of a line. */
  readonly isStart: boolean
  readonly before: string
  readonly after: string
  /** True behind a closing star, to which another one would belong. */
  readonly isStarred: boolean
  /** True where an emphasized paragraph would be read as the details of a task. */
  readonly avoidsStars: boolean
}
const WORD = /[\p{L}\p{N}]/u
const isEdge = (character: string) => character === '' || character === ' '
/** True where stars open and close emphasis by the rules of CommonMark, whatever stands beside them. */
function canHaveStars(text: string, { before, after, isStarred }: Beside): boolean {
  const [first, last] = [Array.from(text)[0]!, Array.from(text).at(-1)!]
  return (
    !isStarred &&
    !isSpace(first) &&
    !isSpace(last) &&
    (WORD.test(first) || isEdge(before)) &&
    (WORD.test(last) || isEdge(after))
  )
}
/** The text of a run with the marks that Markdown has only tags for. */
function taggedText({ text, link, struck, underlined, code }: Run, isStart: boolean): string {
  const plain = isStart ? escapedStart(text) : escapedText(text)
  const words = code ? codeSpan(text, link !== undefined) : plain
  const lined = underlined ? `<u>${words}</u>` : words
  return struck ? `<s>${lined}</s>` : lined
}
/** A run as Markdown; emphasis is a tag where stars would be read as something else. */
function runText(run: Run, beside: Beside): { text: string; hasStars: boolean } {
  const { bold = false, italic = false } = run
  const text = taggedText(run, beside.isStart)
  if (!bold && !italic) return { text, hasStars: false }
  const isPlain = !run.code && !run.struck && !run.underlined
  if (!(italic && beside.avoidsStars) && canHaveStars(isPlain ? run.text : text, beside)) {
    const stars = '*'.repeat((bold ? 2 : 0) + (italic ? 1 : 0))
    return { text: `${stars}${text}${stars}`, hasStars: true }
  }
  const strong = bold ? `<b>${text}</b>` : text
  return { text: italic ? `<i>${strong}</i>` : strong, hasStars: false }
}

/** The address of a link between angle brackets. */
const destination = (href: string): string =>
  `<${href.replace(/[\\<>]|&(?=#?\w+;)/g, '\\$&').replace(/\s/g, encodeURIComponent)}>`
/** An address that stands for itself. */
const AUTOLINK = /^https?:\/\/[^\s<>]+$/i

const lastOf = (text: string): string => Array.from(text.slice(-2)).at(-1) ?? ''
/** Writes one line of runs as Markdown. */
class LineWriter {
  readonly #avoidsStars: boolean
  #text = ''
  #isStarred = false

  constructor(avoidsStars: boolean) {
    this.#avoidsStars = avoidsStars
  }
  /** Writes the runs of a link, or of no link. `after` is the run behind them. */
  write(group: readonly Run[], after: Run | undefined): void {
    const { link } = group[0]!
    if (link === undefined) return this.#writeRuns(group, after)
    if (isAutolink(group, link)) this.#text += `<${link}>`
    else {
      this.#text += '['
      this.#writeRuns(group, undefined, true)
      this.#text += `](${destination(link)})`
    }
    this.#isStarred = false
  }
  #writeRuns(runs: readonly Run[], after: Run | undefined, isLink = false): void {
    for (const [n, run] of runs.entries()) {
      const next = runs[n + 1] ?? after
      const isBeforeLink = next !== undefined && next.link !== run.link
      const { text, hasStars } = runText(run, {
        isStart: this.#text === '',
        before: isLink && n === 0 ? '' : lastOf(this.#text),
        after: isBeforeLink ? '[' : (next?.text.charAt(0) ?? ''),
        isStarred: this.#isStarred,
        avoidsStars: this.#avoidsStars,
      })
      // An exclamation mark before a link would make it a picture.
      this.#text += isBeforeLink && text.endsWith('!') ? `${text.slice(0, -1)}\\!` : text
      this.#isStarred = hasStars
    }
  }
  end(): string {
    const [before, middle, after] = splitEnds(this.#text, isSpace)
    return `${asCodes(before)}${middle}${asCodes(after)}`
  }
}
const isAutolink = ([run, ...others]: readonly Run[], link: string): boolean =>
  others.length === 0 &&
  run!.text === link &&
  AUTOLINK.test(link) &&
  !Object.keys(run!).some((key) => key !== 'text' && key !== 'link')
function lineText(line: readonly Run[], avoidsStars: boolean): string {
  const writer = new LineWriter(avoidsStars)
  const groups = byLink(line)
  for (const [n, group] of groups.entries()) writer.write(group, groups[n + 1]?.[0])
  return writer.end()
}

function linesOf(runs: readonly Run[]): Run[][] {
  const lines: Run[][] = [[]]
  for (const run of runs)
    if (isBreak(run)) lines.push([])
    else lines.at(-1)!.push(run)
  return lines
}
/** True for a paragraph of emphasized words alone. */
const isAll = (runs: readonly Run[], mark: 'italic' | 'bold'): boolean =>
  runs.every((run) => run[mark] || /^[\s:]*$/.test(run.text))
/** Runs as lines of Markdown. */
export const runLines = (runs: readonly Run[]): string[] =>
  linesOf(runs).map((line) => lineText(line, isAll(runs, 'italic')))

type Table = Extract<FormattedBlock, { kind: 'table' }>
/** The cells of a table that Markdown can write: headings above, one line in each cell, equally many in each row. */
function simpleCells({ rows }: Table): string[][] | null {
  const count = rows[0]!.length
  const isSimple = rows.every(
    (row, n) =>
      row.length === count &&
      row.every(
        ({ isHeader, blocks }) =>
          isHeader === (n === 0) &&
          (blocks.length === 0 || (blocks.length === 1 && blocks[0]!.kind === 'paragraph')),
      ),
  )
  if (!isSimple) return null
  return rows.map((row) =>
    row.map(({ blocks: [block] }) =>
      block?.kind === 'paragraph' ? runLines(block.runs).join('<br>').replaceAll('|', '\\|') : '',
    ),
  )
}
function tableLines(table: Table): string[] {
  const cells = simpleCells(table)
  // An element ends at an empty line.
  if (cells === null) return [writeFormatted([table]).replaceAll('\n', '&#10;')]
  const [head, ...rows] = cells.map((row) => `| ${row.join(' | ')} |`)
  return [head!, `|${' --- |'.repeat(cells[0]!.length)}`, ...rows]
}

/** Lines of an item below its marker. */
const itemLines = (marker: string, blocks: readonly FormattedBlock[]): string[] => {
  const indent = ' '.repeat(marker.length)
  return markdownLines(blocks).map((line, n) =>
    n === 0 ? `${marker}${line}` : line === '' ? '' : `${indent}${line}`,
  )
}
const isShort = ([first, second, ...others]: readonly FormattedBlock[]): boolean =>
  first?.kind === 'paragraph' && others.length === 0 && (second === undefined || isBullets(second))
const isBullets = (block: FormattedBlock): boolean => block.kind === 'list' && block.start === null

/** @param isSecond true behind another list, from which other markers divide it */
function listLines({ start, items }: Extract<FormattedBlock, { kind: 'list' }>, isSecond: boolean): string[] {
  const isClose = items.every(isShort)
  return items.flatMap((blocks, n) => {
    const marker = start === null ? (isSecond ? '+ ' : '- ') : `${start + n}${isSecond ? ')' : '.'} `
    return [...(n > 0 && !isClose ? [''] : []), ...itemLines(marker, blocks)]
  })
}
function blockLines(block: FormattedBlock, isSecond: boolean): string[] {
  switch (block.kind) {
    case 'paragraph':
      return runLines(block.runs).map((line, n, all) => (n < all.length - 1 ? `${line}\\` : line))
    case 'heading':
      return [
        `${'#'.repeat(block.level)} ${runLines(block.runs)
          .join(' ')
          .replace(/(?<=\s)#+$/, '\\$&')}`,
      ]
    case 'code': {
      const fence = '`'.repeat(Math.max(3, ticksIn(block.text) + 1))
      return [fence, ...block.text.split('\n'), fence]
    }
    case 'rule':
      return ['***']
    case 'quote':
      return markdownLines(block.blocks).map((line) => (line === '' ? '>' : `> ${line}`))
    case 'list':
      return listLines(block, isSecond)
    default:
      return tableLines(block)
  }
}
/** Blocks of formatted text as lines of Markdown, which are read as the same blocks again. */
export function markdownLines(blocks: readonly FormattedBlock[]): string[] {
  let isSecond = false
  return blocks.flatMap((block, n) => {
    const last = blocks[n - 1]
    isSecond = block.kind === 'list' && last?.kind === 'list' && !isSecond
    const joins = n === 0 || (last?.kind === 'paragraph' && isBullets(block))
    return [...(joins ? [] : ['']), ...blockLines(block, isSecond)]
  })
}

/** True for text below a heading that would be read as steps, another heading or a condition. */
export const needsFrame = (blocks: readonly FormattedBlock[]): boolean =>
  blocks.some(
    (block) =>
      block.kind === 'list' ||
      block.kind === 'heading' ||
      textOfFormatted([block]) === '' ||
      (block.kind === 'paragraph' &&
        (isAll(block.runs, 'bold') || isAll(block.runs, 'italic') || /^only if/i.test(block.runs[0]!.text))),
  )
