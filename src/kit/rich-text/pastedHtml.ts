/** Larger spans come from broken pages. */
const SPAN_MAX = 50

const spanOf = (cell: Element, name: 'colspan' | 'rowspan'): number =>
  Math.min(SPAN_MAX, Math.max(1, Number(cell.getAttribute(name)) || 1))

/** Replaces merged cells by single ones with empty neighbours, so that columns stay aligned. */
function unmerge(table: HTMLTableElement): void {
  /** Rows still covered from above, by column. */
  const covered: number[] = []
  for (const row of table.rows) {
    let column = 0
    const fill = (before: Element | null) => {
      while (covered[column]! > 0) {
        covered[column]! -= 1
        row.insertBefore(table.ownerDocument.createElement('td'), before)
        column += 1
      }
    }
    // A copy, because the loop adds cells.
    const cells = [...row.cells]
    for (const cell of cells) {
      fill(cell)
      const rows = spanOf(cell, 'rowspan')
      const columns = spanOf(cell, 'colspan')
      for (let n = 0; n < columns; n += 1) {
        if (n > 0) cell.after(table.ownerDocument.createElement('td'))
        covered[column] = rows - 1
        column += 1
      }
    }
    fill(null)
  }
}

/** Turns a nested table into lines, and a table of a single cell, which is only a page's frame, into its content. */
function simplifyTables(body: HTMLElement): void {
  for (const table of [...body.querySelectorAll('table')].toReversed()) {
    const cells = [...table.rows].flatMap((row) => [...row.cells])
    if (cells.length === 1) {
      table.replaceWith(...cells[0]!.childNodes)
      continue
    }
    if (table.parentElement?.closest('table')) {
      const lines = [...table.rows].map((row) => {
        const line = body.ownerDocument.createElement('p')
        line.textContent = [...row.cells].map((cell) => cell.textContent.trim()).join(', ')
        return line
      })
      table.replaceWith(...lines)
    } else unmerge(table)
  }
}

/** Word's bullet or number in front of an item, for readers without lists. */
const MARKER = '[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]'
const LEVEL = /mso-list:\s{0,9}\S{1,99}\s{1,9}level(\d)/i
const levelOf = (element: Element | null): number =>
  element ? Number(LEVEL.exec(element.getAttribute('style') ?? '')?.[1] ?? 0) : 0

interface WordItem {
  readonly level: number
  readonly tag: 'ul' | 'ol'
  /** Number or letter of the item; undefined for a bullet. */
  readonly number: string | undefined
}
/** Removes an item's bullet or number from its text, and returns it. */
function takeMarker(item: HTMLElement): WordItem {
  const marker = item.querySelector(MARKER)
  const number = /^\(?([a-z\d]+)[.)]/i.exec(marker?.textContent.trim() ?? '')?.[1]
  marker?.remove()
  return { level: levelOf(item), tag: number === undefined ? 'ul' : 'ol', number }
}

type OpenList = { readonly level: number; readonly list: HTMLElement }
/** Finds the open list of an item, or begins one in front of it; it becomes the last open list. */
function listFor(open: OpenList[], item: HTMLElement, { level, tag, number }: WordItem): HTMLElement {
  while (open.length > 0 && open.at(-1)!.level > level) open.pop()
  const last = open.at(-1)
  if (last?.level === level && last.list.localName === tag) return last.list
  if (last?.level === level) open.pop()
  const list = item.ownerDocument.createElement(tag)
  if (Number(number) > 1) list.setAttribute('start', number!)
  const parent = open.at(-1)?.list.lastElementChild
  if (parent) parent.append(list)
  else item.before(list)
  open.push({ level, list })
  return list
}

/** Turns Word's lists, paragraphs that carry a level, into nested lists. */
function nestWordLists(body: HTMLElement): void {
  const open: OpenList[] = []
  for (const item of body.querySelectorAll<HTMLElement>('[style*="mso-list" i]')) {
    if (levelOf(item) === 0) continue
    if (open[0]?.list !== item.previousElementSibling) open.length = 0
    const list = listFor(open, item, takeMarker(item))
    const line = item.ownerDocument.createElement('p')
    line.append(...item.childNodes)
    const entry = item.ownerDocument.createElement('li')
    entry.append(line)
    list.append(entry)
    item.remove()
  }
}

/** Repairs pasted HTML for the editor's schema: Word's lists become lists, tables lose merged and nested cells. */
export function readablePaste(html: string): string {
  // HTML cut in our own editor needs no repair.
  if (!/<table|mso-list/i.test(html) || html.includes('data-pm-slice')) return html
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  nestWordLists(body)
  simplifyTables(body)
  return body.innerHTML
}
