import type { SystemStyleObject } from '@mui/system'

/** Styles of rich text in the editor and in views. */
export const prose: SystemStyleObject = {
  lineHeight: 1.6,
  overflowWrap: 'anywhere',
  '& > *': { margin: 0 },
  '& > * + *': { marginTop: '8px' },
  '& h1, & h2, & h3, & [data-level]': { fontWeight: 600, lineHeight: 1.35, margin: 0 },
  '& > * + h1, & > * + h2, & > * + h3, & > * + [data-level]': { marginTop: '20px' },
  '& h1, & [data-level="1"]': { fontSize: '1.125rem' },
  '& h2, & [data-level="2"]': { fontSize: '1rem' },
  '& h3, & [data-level="3"]': { fontSize: '0.875rem' },
  // Each line aligns by its own direction.
  '& p, & h1, & h2, & h3, & [data-level], & pre, & td, & th': { unicodeBidi: 'plaintext' },
  // The space of the bullet belongs to the item, whose direction may differ from the list's.
  '& ul, & ol': { paddingInlineStart: 0 },
  // Lists of the page around the text do not count as levels.
  '& ul': { listStyleType: 'disc' },
  '& ul ul': { listStyleType: 'circle' },
  '& li': { marginInlineStart: '24px' },
  // An empty paragraph keeps its line.
  '& p:empty::before': { content: '"\\00a0"' },
  '& li > *': { margin: 0 },
  '& li + li': { marginTop: '4px' },
  '& blockquote': {
    paddingInlineStart: '12px',
    borderInlineStart: '3px solid',
    borderColor: 'divider',
    color: 'text.secondary',
  },
  '& blockquote > *': { margin: 0 },
  '& code': { padding: '1px 4px', borderRadius: '4px', backgroundColor: 'action.hover', fontSize: '0.9em' },
  '& pre': {
    padding: '12px',
    borderRadius: '6px',
    backgroundColor: 'action.hover',
    whiteSpace: 'pre-wrap',
    fontSize: '0.875rem',
  },
  '& pre code': { padding: 0, backgroundColor: 'transparent', fontSize: 'inherit' },
  '& table': {
    display: 'block',
    width: 'fit-content',
    maxWidth: '100%',
    overflowX: 'auto',
    borderCollapse: 'collapse',
    lineHeight: 1.4,
  },
  '& th, & td': {
    minWidth: '64px',
    padding: '4px 8px',
    border: '1px solid',
    borderColor: 'background.edge',
    textAlign: 'start',
    verticalAlign: 'top',
    overflowWrap: 'break-word',
  },
  '& th': { fontWeight: 600 },
  '& :is(td, th) > *': { margin: 0 },
  '& hr': { border: 0, borderTop: '1px solid', borderColor: 'divider' },
  '& a': { color: 'primary.main' },
}

/** Paragraphs that contain only white space. */
const EMPTY = '<p>(?:\\s|&nbsp;|<br\\s*/?>)*</p>'
const EMPTY_PARAGRAPH = new RegExp(`^${EMPTY}$`)
const LEADING = new RegExp(`^(?:\\s|${EMPTY})+`)

/** Removes these endings repeatedly. Linear, unlike a regular expression anchored at the end. */
function withoutEndings(text: string, endings: readonly string[]): string {
  let rest = text
  for (;;) {
    const ending = endings.find((one) => rest.endsWith(one))
    if (ending === undefined) return rest
    rest = rest.slice(0, -ending.length)
  }
}
const BLANKS = [' ', '\n', '\t', '\u00a0', '&nbsp;']

/** Removes the empty lines that the editor leaves at the end. */
export function withoutTrailing(html: string): string {
  let rest = html.trimEnd()
  for (;;) {
    const start = rest.endsWith('</p>') ? rest.lastIndexOf('<p>') : -1
    if (start < 0 || !EMPTY_PARAGRAPH.test(rest.slice(start))) return rest
    rest = rest.slice(0, start).trimEnd()
  }
}

/** Position of the closing tags at the end of rich text. */
function closingTagsAt(html: string): number {
  let at = html.length
  for (;;) {
    const start = html[at - 1] === '>' ? html.lastIndexOf('<', at - 1) : -1
    if (start < 0 || html[start + 1] !== '/') return at
    at = start
  }
}
/** Removes white space and empty lines around rich text, but not before the first line of code. */
export function trimmed(html: string): string {
  const rest = withoutTrailing(html)
    .replace(LEADING, '')
    .replace(/^((?:<(?!pre\b)[^<>]+>)*)(?:\s|&nbsp;)+/, '$1')
  const end = closingTagsAt(rest)
  return withoutEndings(rest.slice(0, end), BLANKS) + rest.slice(end)
}

const BETWEEN_CELLS = /<\/t[dh]>\s*(?=<t[dh]>)/
const LAST_OF_CELL = ['</p>', '</li>', '</ul>', '</ol>']
const BLOCK_END = /<\/(?:p|li|h[1-3]|pre|tr)>|<br\s*\/?>/g
/** The plain text of rich text, by block and table row. */
export function wordsOf(html: string): string {
  const cells = html.split(BETWEEN_CELLS)
  const last = cells.pop()!
  const lines = [...cells.map((cell) => withoutEndings(cell, LAST_OF_CELL)), last].join(' | ')
  return new DOMParser()
    .parseFromString(lines.replace(BLOCK_END, '$&\n'), 'text/html')
    .body.textContent.trim()
}
