import { looksLikeCode } from './pastedCode.ts'

const escaped = (text: string) =>
  text.replace(/[&<>]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[one]!)
const paragraph = (text: string) => `<p>${escaped(text)}</p>`

const HEADING = /^(#{1,3}) +(\S.*)$/
/** An item with its bullet or number. Word writes a bullet of its second level as `o` and a tab. */
const ITEM = /^([ \t]*)(?:[-*•◦▪‣·–][ \t]+|o\t[ \t]*|(\d{1,3})[.)][ \t]+|([a-z]{1,4})[.)]\t[ \t]*)(\S.*)$/i
const TAB_WIDTH = 4
/** Columns of indentation per level: one space is none. */
const LEVEL_WIDTH = 2
const widthOf = (space: string) => space.replaceAll('\t', ' '.repeat(TAB_WIDTH)).length

interface Item {
  readonly indent: number
  readonly tag: 'ul' | 'ol'
  readonly number: number
  readonly text: string
}
function itemOf(line: string): Item | null {
  const [, space = '', number, letters, text] = ITEM.exec(line) ?? []
  // Letters count as numbers below another item only: `a.` may begin a sentence.
  if (text === undefined || (letters !== undefined && space === '')) return null
  const isNumbered = number !== undefined || letters !== undefined
  return { indent: widthOf(space), tag: isNumbered ? 'ol' : 'ul', number: Number(number ?? 1), text }
}

/** Writes nested lists, item by item. */
class ListWriter {
  html = ''
  readonly #open: Pick<Item, 'indent' | 'tag'>[] = []

  get isOpen() {
    return this.#open.length > 0
  }
  /** True if a line continues the last item: it is indented below the item's text. */
  continues(line: string) {
    const space = /^[ \t]*/.exec(line)![0]
    return this.isOpen && line.trim() !== '' && widthOf(space) >= this.#open.at(-1)!.indent + LEVEL_WIDTH
  }
  close(count = this.#open.length) {
    for (let n = 0; n < count; n += 1) this.html += `</li></${this.#open.pop()!.tag}>`
  }
  add({ indent, tag, number, text }: Item) {
    while (this.#open.length > 1 && this.#open.at(-1)!.indent - indent >= LEVEL_WIDTH) this.close(1)
    const last = this.#open.at(-1)
    const isDeeper = last !== undefined && indent - last.indent >= LEVEL_WIDTH
    if (last && !isDeeper && last.tag !== tag) this.close(1)
    if (!last || isDeeper || last.tag !== tag) {
      this.html += tag === 'ol' && number !== 1 ? `<ol start="${number}">` : `<${tag}>`
      this.#open.push({ indent, tag })
    } else this.html += '</li>'
    this.html += `<li>${paragraph(text)}`
  }
}

/** The cells of a line: between tabs, as from spreadsheets and text processors, or between pipes as in Markdown. */
function cellsOf(line: string): string[] | null {
  if (/^\|.*\|\s*$/.test(line)) return line.trim().slice(1, -1).split('|')
  return line.includes('\t') && line.trim() !== '' ? line.split('\t') : null
}
const isRule = (cells: readonly string[]) => cells.every((cell) => /^\s*:?-+:?\s*$/.test(cell))

/** The table of equally long lines from `from` on; null if there is none. */
function tableAt(lines: readonly string[], from: number): { html: string; count: number } | null {
  const rows: string[][] = []
  for (const line of lines.slice(from)) {
    const cells = itemOf(line) ? null : cellsOf(line)
    if (!cells || (rows[0] && cells.length !== rows[0].length)) break
    rows.push(cells)
  }
  // Lines that are only indented have no cells.
  if (rows.length < 2 || rows.every(([first = '']) => first.trim() === '')) return null
  const html = rows
    .filter((cells) => !isRule(cells))
    .map((cells) => `<tr>${cells.map((cell) => `<td>${paragraph(cell.trim())}</td>`).join('')}</tr>`)
  return { html: `<table><tbody>${html.join('')}</tbody></table>`, count: rows.length }
}

/** Code as rich text: a block if it has several lines. */
export function codeHtml(text: string): string {
  const code = `<code>${escaped(text.replaceAll(/\r\n?/g, '\n').trimEnd())}</code>`
  return code.includes('\n') ? `<pre>${code}</pre>` : code
}
/** Text as paragraphs, line by line, with its blanks and blank lines. */
export const linesHtml = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map(paragraph)
    .join('')

/** Pasted plain text as rich text: code, headings, lists and tables, as if they were typed, otherwise its lines. */
export const pastedHtml = (text: string): string =>
  looksLikeCode(text) ? codeHtml(text) : (richOf(text) ?? linesHtml(text))

/**
 * Converts headings, lists and tables of pasted plain text to rich text, as if they were typed; null for text without any.
 */
export function richOf(text: string): string | null {
  const lines = text.split(/\r\n?|\n/)
  const list = new ListWriter()
  let isRich = false
  for (let n = 0; n < lines.length; n += 1) {
    const line = lines[n]!
    const item = itemOf(line)
    const heading = HEADING.exec(line)
    const table = item || list.continues(line) ? null : tableAt(lines, n)
    isRich ||= Boolean(item ?? heading ?? table)
    if (item) list.add(item)
    else if (list.continues(line)) list.html += paragraph(line.trim())
    else if (line.trim() !== '') {
      list.close()
      if (table) {
        list.html += table.html
        n += table.count - 1
      } else if (heading) {
        const level = heading[1]!.length
        list.html += `<h${level}>${escaped(heading[2]!)}</h${level}>`
      } else list.html += paragraph(line)
    }
  }
  list.close()
  return isRich ? list.html : null
}
