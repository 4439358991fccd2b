import { LONG_TEXT_MAX } from '#contract/kit/text.ts'
import { type Description, describe } from '#server/kit/core/formatted-text.ts'

import {
  besides,
  type Block,
  blocksOf,
  calloutText,
  DIRECT,
  type Element,
  isElement,
  isKeptLink,
  isList,
  isParagraph,
  itemsOf,
  LEFT_OUT,
  linesOf,
  type Node,
  rowsOf,
} from './html.content.ts'
import { notebook } from './reading.content.ts'

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one]!)

const MARKS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    strong: 'strong',
    b: 'strong',
    em: 'em',
    i: 'em',
    s: 's',
    del: 's',
    strike: 's',
    u: 'u',
    ins: 'u',
    code: 'code',
  }),
)
/** Schemes that rich text has links of. */
const LINKED = /^(?:https?:\/\/|mailto:)/i

function linkHtml({ attributes, children }: Element): string {
  const href = attributes['href'] ?? ''
  const text = inlineHtml(children)
  if (!isKeptLink(href)) return text
  const shown = text.trim() === '' ? escaped(href.replace(/^mailto:/i, '')) : text
  return LINKED.test(href) ? `<a href="${escaped(href)}">${shown}</a>` : `${shown} (${escaped(href)})`
}
/** The nodes of a paragraph as rich text. Omissions are noted where the same nodes are read as plain text. */
export function inlineHtml(nodes: readonly Node[]): string {
  return nodes
    .map((node): string => {
      if (!isElement(node)) return escaped(node.text)
      const { name, children } = node
      if (name === 'br') return '<br>'
      if (name === 'img' || LEFT_OUT.has(name)) return ''
      if (name === 'a') return linkHtml(node)
      const mark = MARKS.get(name)
      const inner = inlineHtml(children)
      return mark ? `<${mark}>${inner}</${mark}>` : inner
    })
    .join('')
}

const listHtml = (list: Element): string => {
  const items = itemsOf(list).map(({ children }) => `<li>${htmlOf(children)}</li>`)
  if (list.name !== 'ol') return `<ul>${items.join('')}</ul>`
  return `<ol start="${Number(list.attributes['start'] ?? 1)}">${items.join('')}</ol>`
}
const tableHtml = (table: Element): string => {
  const rows = rowsOf(table).map(
    (cells) =>
      `<tr>${cells.map(({ name, children }) => `<${name}>${htmlOf(children)}</${name}>`).join('')}</tr>`,
  )
  return `${htmlOf(besides(table))}<table>${rows.join('')}</table>`
}
/** A definition list, or the details of a summary. A term is the first line of the paragraph that follows it. */
function termsHtml({ children }: Element): string {
  let html = ''
  let term = ''
  for (const block of blocksOf(children)) {
    const isTerm = !isParagraph(block) && DIRECT.has(block.name)
    if (isTerm) {
      if (term !== '') html += `<p>${term}</p>`
      term = inlineHtml(block.children).trim().replace(/:$/, '')
      if (term !== '') term += ':'
    } else {
      const one = blockHtml(block)
      html +=
        term === '' ? one : one.startsWith('<p>') ? `<p>${term}<br>${one.slice(3)}` : `<p>${term}</p>${one}`
      term = ''
    }
  }
  return term === '' ? html : `${html}<p>${term}</p>`
}
const codeOf = ({ children }: Element): string => linesOf(children, notebook()).join('\n').replace(/^\n/, '')

const HEADING = /^h[1-6]$/
/** A block as rich text; empty for one that is left out. */
export function blockHtml(block: Block): string {
  if (isParagraph(block)) return `<p>${inlineHtml(block.inline)}</p>`
  const { name, children } = block
  if (LEFT_OUT.has(name)) return ''
  if (isList(block)) return listHtml(block)
  if (name === 'table') return tableHtml(block)
  if (name === 'dl' || name === 'details') return termsHtml(block)
  if (name === 'blockquote') {
    const html = htmlOf(children)
    const at = html.startsWith('<p>') ? 3 : 0
    return `<blockquote>${html.slice(0, at)}${calloutText(html.slice(at))}</blockquote>`
  }
  if (name === 'pre') return `<pre><code>${escaped(codeOf(block))}</code></pre>`
  if (name === 'hr') return '<hr>'
  if (HEADING.test(name)) {
    const level = Math.min(Number(name.slice(1)), 3)
    return `<h${level}>${inlineHtml(children)}</h${level}>`
  }
  return htmlOf(children)
}
/** Blocks as rich text. */
export const htmlOf = (nodes: readonly Node[]): string => blocksOf(nodes).map(blockHtml).join('')

/** Rich text that is longer would not fit once it is sanitised, and would take long. */
const HTML_MAX = 4 * LONG_TEXT_MAX
/**
 * The description that rich text of a file gives; undefined for one that has no formatting, or too much text for it.
 * @param onTooLong called for formatting that does not fit
 */
export function formattedOf(html: string, onTooLong: () => void): Description | undefined {
  if (html.length > HTML_MAX) return undefined
  const described = describe(html)
  const { formattedDescription, description } = described
  if (formattedDescription === null) return undefined
  if (formattedDescription.length <= LONG_TEXT_MAX) return described
  if (description.length <= LONG_TEXT_MAX) onTooLong()
  return undefined
}
