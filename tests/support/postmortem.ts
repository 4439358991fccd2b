/** A realistic post-mortem: Markdown with a summary, a timeline in a table and lessons in nested lists. */
export interface Postmortem {
  readonly title: string
  /** Raw text, including markup characters. */
  readonly summary: string
  readonly timeline: readonly string[]
  /** Rich text. */
  readonly lessons: string
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }
const decoded = (text: string) => text.replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const sectionOf = (markdown: string, title: string): string =>
  new RegExp(`^## ${title}\\n([^]*?)(?=^## |$(?![^]))`, 'm').exec(markdown)?.[1]?.trim() ?? ''

export function readPostmortem(markdown: string): Postmortem {
  const rows = sectionOf(markdown, 'Timeline')
    .split('\n')
    .filter((line) => /^\| *\d/.test(line))
    .map((line) => line.split('|').slice(1, -1))
  return {
    title: /^# (.*)$/m.exec(markdown)?.[1] ?? '',
    summary: decoded(sectionOf(markdown, 'Summary')),
    timeline: rows.map(([time = '', event = '']) =>
      decoded(`${time.trim().replace(/ +/, ' ')} ${event.trim()}`),
    ),
    lessons: listsOf(sectionOf(markdown, 'Lessons Learned')),
  }
}

function listsOf(markdown: string): string {
  let html = ''
  const open: number[] = []
  const closeTo = (indent: number) => {
    while (open.length > 0 && open.at(-1)! > indent) {
      open.pop()
      html += '</li></ul>'
    }
  }
  for (const line of markdown.split('\n')) {
    const [, spaces, text] = /^( *)- (.*)$/.exec(line) ?? []
    const heading = /^### (.*)$/.exec(line)?.[1]
    if (heading !== undefined) {
      closeTo(-1)
      html += `<h3>${escaped(decoded(heading))}</h3>`
    } else if (text !== undefined) {
      const indent = spaces!.length
      closeTo(indent)
      html += open.at(-1) === indent ? '</li><li>' : '<ul><li>'
      if (open.at(-1) !== indent) open.push(indent)
      html += `<p>${escaped(decoded(text))}</p>`
    }
  }
  closeTo(-1)
  return html
}
