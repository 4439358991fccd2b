import sanitizeHtml from 'sanitize-html'

/** Everything that the product's editor makes. */
const TAGS = [
  'p',
  'br',
  'strong',
  'b',
  'em',
  'i',
  'u',
  's',
  'code',
  'pre',
  'h1',
  'h2',
  'h3',
  'ul',
  'ol',
  'li',
  'blockquote',
  'hr',
  'a',
]
// Bounded, so that hostile input cannot make the search slow.
const ATTRIBUTE = `\\s{1,9}[^\\s"'<>/=]{1,99}(?:\\s{0,9}=\\s{0,9}(?:"[^"]{0,2500}"|'[^']{0,2500}'|[^\\s"'=<>\`]{1,2500}))?`
const NOT_OURS = new RegExp(
  `<(?!/(?:${TAGS.join('|')})\\s{0,9}>|(?:${TAGS.join('|')})(?:${ATTRIBUTE}){0,9}\\s{0,9}/?>)`,
  'gi',
)

const NONE: sanitizeHtml.Attributes = {}
const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: { a: ['href', 'rel', 'target'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'recursiveEscape',
  transformTags: {
    a: (tagName, { href = '' }) => {
      const attribs = { href, rel: 'noopener noreferrer nofollow', target: '_blank' }
      return { tagName, attribs: /^(?:https?:\/\/|mailto:)/i.test(href) ? attribs : NONE }
    },
    ol: (tagName, { start = '' }) => ({ tagName, attribs: /^\d{1,6}$/.test(start) ? { start } : NONE }),
  },
}

/**
 * Rich text that is safe to show. What the editor makes stays; everything else stays too, but as the text that was
 * typed: `a < b`, `<https://example.org>` and a pasted script are all readable and do nothing.
 */
export const sanitise = (html: string): string => sanitizeHtml(html.replace(NOT_OURS, '&lt;'), OPTIONS)

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }
// One pass, so that `&amp;lt;` becomes `&lt;` and not `<`. Sanitised text holds no other entities.
const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot);/g, (whole, name: string) => ENTITIES[name] ?? whole)

type Token =
  | { readonly text: string }
  | { readonly tag: string; readonly opens: boolean; readonly value: string | null }
function* tokens(html: string): Generator<Token> {
  for (const [part, closing, tag, value] of html.matchAll(
    /<(\/?)([a-z0-9]+)(?:\s+(?:href|start)="([^"]*)")?[^>]*>|[^<]+/g,
  )) {
    if (tag === undefined) yield { text: decoded(part) }
    else yield { tag, opens: closing === '', value: value === undefined ? null : decoded(value) }
  }
}

const BLOCKS: readonly string[] = ['p', 'pre', 'h1', 'h2', 'h3', 'li', 'blockquote', 'ul', 'ol']

/** The text of sanitised rich text without its markup; blocks end as line breaks. */
export function plainText(html: string): string {
  let text = ''
  for (const token of tokens(html)) {
    if ('text' in token) text += token.text
    else if (token.tag === 'br' || token.tag === 'hr' || (!token.opens && BLOCKS.includes(token.tag)))
      text += '\n'
  }
  return text.replace(/[^\S\n]*\n\s*/g, '\n').trim()
}

/** Text of one look. */
export interface Run {
  readonly text: string
  readonly bold?: boolean
  readonly italic?: boolean
  readonly underlined?: boolean
  readonly struck?: boolean
  readonly code?: boolean
  readonly link?: string
}
export interface RichBlock {
  readonly kind: 'paragraph' | 'heading' | 'code' | 'rule'
  /** How deep it stands in lists and quotations. */
  readonly depth: number
  /** What stands before the first line of a list's item: a bullet or a number. */
  readonly marker?: string
  readonly quoted?: boolean
  readonly runs: readonly Run[]
}

const LOOKS: Readonly<Record<string, keyof Run>> = {
  strong: 'bold',
  b: 'bold',
  em: 'italic',
  i: 'italic',
  u: 'underlined',
  s: 'struck',
  code: 'code',
  a: 'link',
}

/** Reads sanitised rich text as a flat sequence of blocks, for documents that are not HTML. */
export function readRichText(html: string): RichBlock[] {
  const blocks: RichBlock[] = []
  const containers: { tag: string; next: number }[] = []
  const looks: { tag: string; value: string | null }[] = []
  let kind: RichBlock['kind'] = 'paragraph'
  let marker: string | undefined
  let runs: Run[] = []

  const finish = () => {
    const last = runs.at(-1)
    if (last && kind !== 'code') runs[runs.length - 1] = { ...last, text: last.text.trimEnd() }
    if (runs.some((run) => run.text.trim() !== '')) {
      const quoted = containers.some(({ tag }) => tag === 'blockquote')
      blocks.push({
        kind,
        depth: containers.length,
        ...(marker === undefined ? {} : { marker }),
        ...(quoted ? { quoted } : {}),
        runs,
      })
      marker = undefined
    }
    runs = []
  }
  const pushText = (text: string) => {
    // The editor writes no line breaks, so a line break comes from source that was not written in the editor.
    const shown = kind === 'code' ? text : text.replace(/[ \t\r]+/g, ' ')
    const look = Object.fromEntries(looks.map(({ tag, value }) => [LOOKS[tag], tag === 'a' ? value : true]))
    // Space between blocks is only how the source is laid out.
    if (runs.length > 0) runs.push({ text: shown, ...look })
    else if (shown.trim() !== '') runs.push({ text: kind === 'code' ? shown : shown.trimStart(), ...look })
  }
  const openBlock = (tag: string, value: string | null) => {
    finish()
    if (tag === 'li') {
      const parent = containers.at(-1)
      marker = parent?.tag === 'ol' ? `${parent.next++}.` : '•'
    } else if (tag === 'ul' || tag === 'ol' || tag === 'blockquote') {
      containers.push({ tag, next: tag === 'ol' && value !== null ? Number(value) : 1 })
    } else if (tag !== 'p') kind = tag === 'pre' ? 'code' : 'heading'
  }
  const closeBlock = (tag: string) => {
    finish()
    if (tag === 'ul' || tag === 'ol' || tag === 'blockquote') containers.pop()
    else if (tag === 'li') marker = undefined
    else kind = 'paragraph'
  }

  for (const token of tokens(html)) {
    if ('text' in token) pushText(token.text)
    else if (token.tag === 'br') runs.push({ text: '\n' })
    else if (token.tag === 'hr') {
      finish()
      blocks.push({ kind: 'rule', depth: containers.length, runs: [] })
    } else if (BLOCKS.includes(token.tag)) {
      if (token.opens) openBlock(token.tag, token.value)
      else closeBlock(token.tag)
    } else if (token.opens) looks.push({ tag: token.tag, value: token.value })
    else {
      const last = looks.findLastIndex(({ tag }) => tag === token.tag)
      if (last >= 0) looks.splice(last, 1)
    }
  }
  finish()
  return blocks
}
