const escaped = (text: string) =>
  text.replace(/[&<>]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[one]!)

const HEADING = /^(#{1,3}) +(\S.*)$/
const ITEM = /^\s*(?:[-*]|(\d{1,3})\.) +(\S.*)$/

/**
 * What headings and lists of pasted plain text are in rich text, as they would be if they were typed; null for text that
 * has none.
 */
export function richOf(text: string): string | null {
  const lines = text.split(/\r\n?|\n/)
  if (!lines.some((line) => HEADING.test(line) || ITEM.test(line))) return null
  let html = ''
  let list: 'ul' | 'ol' | null = null
  const into = (next: typeof list) => {
    if (next === list) return
    if (list) html += `</${list}>`
    if (next) html += `<${next}>`
    list = next
  }
  for (const line of lines) {
    const item = ITEM.exec(line)
    const heading = HEADING.exec(line)
    into(item ? (item[1] === undefined ? 'ul' : 'ol') : null)
    if (item) html += `<li><p>${escaped(item[2]!)}</p></li>`
    else if (heading) html += `<h${heading[1]!.length}>${escaped(heading[2]!)}</h${heading[1]!.length}>`
    else if (line.trim() !== '') html += `<p>${escaped(line)}</p>`
  }
  into(null)
  return html
}
