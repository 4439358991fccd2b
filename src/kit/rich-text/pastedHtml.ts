/** Spans beyond it come from a broken page. */
const SPAN_MAX = 50

const spanOf = (cell: Element, name: 'colspan' | 'rowspan'): number =>
  Math.min(SPAN_MAX, Math.max(1, Number(cell.getAttribute(name)) || 1))

/** Puts an empty cell in place of each one that a merged cell covers, so that columns stay below each other. */
function unmerge(table: HTMLTableElement): void {
  /** How many more rows of each column are covered from above. */
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
    // A copy: cells are added on the way.
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

/** A table within a cell becomes lines; one of a single cell is only a frame of the page it comes from. */
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

/** What Word writes in front of an item for readers that know no lists: its bullet or number. */
const MARKER = '[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]'
const LEVEL = /mso-list:\s{0,9}\S{1,99}\s{1,9}level(\d)/i
const levelOf = (element: Element | null): number =>
  element ? Number(LEVEL.exec(element.getAttribute('style') ?? '')?.[1] ?? 0) : 0

interface WordItem {
  readonly level: number
  readonly tag: 'ul' | 'ol'
  /** The written number or letter; undefined for a bullet. */
  readonly number: string | undefined
}
/** Takes an item's written bullet or number out of it. */
function takeMarker(item: HTMLElement): WordItem {
  const marker = item.querySelector(MARKER)
  const number = /^\(?([a-z\d]+)[.)]/i.exec(marker?.textContent.trim() ?? '')?.[1]
  marker?.remove()
  return { level: levelOf(item), tag: number === undefined ? 'ul' : 'ol', number }
}

type OpenList = { readonly level: number; readonly list: HTMLElement }
/** The list that an item belongs to, as the last of those that are open: found, or begun in front of it. */
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

/** Word's lists are paragraphs that say how deep they are. */
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

/** Pasted HTML as the editor's schema can read it: Word's lists as lists, tables without merged or nested ones. */
export function readablePaste(html: string): string {
  // What was cut in an editor of ours needs no repair.
  if (!/<table|mso-list/i.test(html) || html.includes('data-pm-slice')) return html
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  nestWordLists(body)
  simplifyTables(body)
  return body.innerHTML
}
