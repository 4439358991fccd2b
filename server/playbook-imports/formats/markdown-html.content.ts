import MarkdownIt, { type Token } from 'markdown-it'

import { closedHtml, lineMark, OMITTED, RAW, VERBATIM } from './html.content.ts'
import { wrongLine } from './reading.content.ts'

/** Nesting of lists and quotes, each of which takes two levels. The parser drops deeper content. */
const NESTING_MAX = 60
const TOO_DEEP = 'lists and quotes are nested too deeply.'

const parser = new MarkdownIt('commonmark', { maxNesting: NESTING_MAX }).enable('table')
// All links become plain text; they are validated when they are rendered.
parser.validateLink = () => true
parser.normalizeLink = (url) => url
parser.normalizeLinkText = (url) => url

// A footnote would be a definition of a link, which is shown nowhere.
parser.block.ruler.before('reference', 'footnote', (state, startLine, _, isSilent) => {
  const lineStart = state.bMarks[startLine]! + state.tShift[startLine]!
  const line = state.src.slice(lineStart, state.eMarks[startLine])
  if (isSilent || !/^\[\^[^\]\s]+\]:/.test(line)) return false
  const map: [number, number] = [startLine, startLine + 1]
  state.push('paragraph_open', 'p', 1).map = map
  const inline = state.push('inline', '', 0)
  Object.assign(inline, { content: line, map, children: [] })
  state.push('paragraph_close', 'p', -1)
  state.line = startLine + 1
  return true
})

const { escapeHtml } = parser.utils
/** White space that HTML would change. */
const SPACE = /^\s|\s$|\s\s|[^\S ]/
const verbatim = (text: string): string =>
  SPACE.test(text) ? `<${VERBATIM}>${escapeHtml(text)}</${VERBATIM}>` : escapeHtml(text)

const { rules } = parser.renderer
rules['text'] = (tokens, index) => verbatim(tokens[index]!.content)
rules['text_special'] = rules['text']
rules['code_inline'] = (tokens, index) => `<code>${verbatim(tokens[index]!.content)}</code>`
rules['fence'] = (tokens, index) => `<pre>${verbatim(tokens[index]!.content)}</pre>`
rules['code_block'] = rules['fence']
rules['softbreak'] = () => ' '
rules['hardbreak'] = () => '<br>'
rules['image'] = (tokens, index) => `<img alt="${escapeHtml(tokens[index]!.content)}">`
rules['html_block'] = (tokens, index) => closedHtml(tokens[index]!.content)
// The content of a script within a line is parsed like other text, so its tag may not begin raw text.
rules['html_inline'] = (tokens, index) => {
  const { content } = tokens[index]!
  const [, slash = '', name = ''] = /^<(\/?)([a-z][\w:-]*)/i.exec(content) ?? []
  return RAW.has(name.toLowerCase()) ? `<${slash}${OMITTED}>` : content
}

/** Box of a task list. */
const CHECKBOX = /^\[[ xX]\]\s+/
/**
 * The tokens of a paragraph without the box of its list item, and without wide spaces at its ends: those that belong to
 * a text are spelled as character references.
 */
function trimmed({ content, children }: Token, isItem: boolean): Token[] {
  const inner = children ?? []
  const [first, last] = [inner[0], inner.at(-1)]
  if (first?.type === 'text' && content !== content.trimStart()) first.content = first.content.trimStart()
  if (last?.type === 'text' && content !== content.trimEnd()) last.content = last.content.trimEnd()
  if (first?.type === 'text' && isItem && CHECKBOX.test(content))
    first.content = first.content.replace(CHECKBOX, '')
  return inner
}

/** Beginnings of what is shown nowhere, with its end. */
const HIDDEN = [
  [/(?<!\\)<!--/g, '-->'],
  [/(?<!\\)<!\[CDATA\[/g, ']]>'],
  [/(?<!\\)<\?/g, '?>'],
] as const
/** A tag of Confluence, whose colon Markdown takes for that of a link. */
const WIKI_TAG = /<(\/?)(ac|ri):(?=[a-z])/g
/** Lets no comment without an end hide the rest of the file. */
const withEnds = (source: string): string =>
  HIDDEN.reduce((text, [start, end]) => {
    const ended = text.lastIndexOf(end) + 1
    return text.slice(0, ended) + text.slice(ended).replace(start, '\\$&')
  }, source)

/**
 * Renders Markdown as HTML with the lines of the file. A line break within a paragraph is a blank.
 * @param offset lines of the file before the source
 * @throws Refusal 400 where lists and quotes are nested too deeply
 */
export function renderMarkdown(source: string, offset: number): string {
  const tokens = parser.parse(withEnds(source).replace(WIKI_TAG, '<$1$2-'), {})
  const lineOf = ({ map }: Token) => (map?.[0] ?? 0) + offset + 1
  const deep = tokens.find(({ level }) => level >= NESTING_MAX - 2)
  if (deep) throw wrongLine(lineOf(deep), TOO_DEEP)
  const { renderer, options } = parser
  return tokens
    .map((token, index) => {
      if (token.type === 'inline') {
        const isItem = tokens[index - 2]?.type === 'list_item_open'
        return renderer.renderInline(trimmed(token, isItem), options, {})
      }
      const mark = token.map && token.nesting >= 0 ? lineMark(lineOf(token)) : ''
      const rule = rules[token.type]
      const html = rule
        ? rule(tokens, index, options, {}, renderer)
        : renderer.renderToken(tokens, index, options)
      return `${mark}${html}`
    })
    .join('')
}
