import MarkdownIt, { type Token } from 'markdown-it'

import { cutText, readDetails, withShortTitle } from '#contract/playbook-imports/rules.ts'
import type { ImportedActivity, ImportedPlaybook } from '#contract/playbook-imports/schema.ts'
import { SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import { PLAYBOOK_ITEMS_MAX } from '#contract/playbooks/schema.ts'

import {
  finished,
  type Notebook,
  notebook,
  plainHeading,
  plainTask,
  TOO_MANY_STEPS,
  wrongFile,
  wrongLine,
} from './reading.content.ts'

/** Nesting of lists and quotes, each of which takes two levels. The parser drops deeper content. */
const NESTING_MAX = 60
const TOO_DEEP = 'lists and quotes are nested too deeply.'

const parser = new MarkdownIt('commonmark', { maxNesting: NESTING_MAX })
// All links become plain text here; they are validated when they are rendered.
parser.validateLink = () => true
parser.normalizeLink = (url) => url
parser.normalizeLinkText = (url) => url

/** Schemes of links that are kept. Relative links have none. */
const KEPT_SCHEMES = /^(https?|mailto|tel|sms|s?ftp):/i
const SCHEME = /^[a-z][a-z\d+.-]*:/i
const BREAK_TAG = /^<br\s*\/?>$/i
const CLOSING_OR_COMMENT = /^<(\/|!--)/
const TEXTS: ReadonlySet<string> = new Set(['text', 'text_special', 'code_inline'])
const BREAKS: ReadonlySet<string> = new Set(['softbreak', 'hardbreak'])
const CHECKBOX = /^\[[ xX]\]\s+/

interface Reading {
  readonly notes: Notebook
  /** Lines of the file before the parsed text. */
  readonly offset: number
}
const lineOf = ({ map }: Pick<Token, 'map'>, { offset }: Reading): number => (map?.[0] ?? 0) + offset + 1

function linkText(text: string, href: string, note: (message: string) => void): string {
  if (href === '' || href.startsWith('#')) return text
  if (SCHEME.test(href) && !KEPT_SCHEMES.test(href)) {
    note(`A link was left out: ${cutText(href, 60)}`)
    return text
  }
  const bare = href.replace(/^mailto:/i, '')
  if (text.trim() === '' || text === href || text === bare) return bare
  return `${text} (${href})`
}

/** Collects the lines of a paragraph in parts, which are joined once: a text may have a megabyte. */
class Lines {
  readonly #lines: string[][] = [[]]
  readonly #links: { readonly href: string; readonly line: number; readonly start: number }[] = []

  write(text: string): void {
    this.#lines.at(-1)!.push(text)
  }
  breakLine(): void {
    this.#lines.push([])
  }
  openLink(href: string): void {
    this.#links.push({ href, line: this.#lines.length, start: this.#lines.at(-1)!.length })
  }
  closeLink(note: (message: string) => void): void {
    const { href, line, start } = this.#links.pop()!
    const text = this.#lines.at(-1)!.splice(line === this.#lines.length ? start : 0)
    this.write(linkText(text.join(''), href, note))
  }
  joined(): string[] {
    return this.#lines.map((parts) => parts.join(''))
  }
}

/** The lines of a paragraph as plain text. */
function linesOf(inline: Pick<Token, 'children' | 'map' | 'content'>, reading: Reading): string[] {
  const lines = new Lines()
  let line = lineOf(inline, reading)
  const note = (message: string) => reading.notes.add(line, message)
  const html = (tag: string) => {
    if (BREAK_TAG.test(tag)) lines.breakLine()
    else if (!CLOSING_OR_COMMENT.test(tag)) note(`HTML was left out: ${cutText(tag, 60)}`)
  }
  for (const token of inline.children ?? []) {
    const { type, content } = token
    if (TEXTS.has(type)) lines.write(content)
    else if (type === 'link_open') lines.openLink(String(token.attrGet('href') ?? ''))
    else if (type === 'link_close') lines.closeLink(note)
    else if (type === 'image') note(`A picture was left out${content ? `: ${cutText(content, 60)}` : '.'}`)
    else if (type === 'html_inline') html(content)
    else if (BREAKS.has(type)) {
      line += 1
      lines.breakLine()
    }
  }
  const texts = lines.joined()
  // Strips wide spaces of the file; spaces that belong to a text are spelled as character references.
  if (inline.content !== inline.content.trimStart()) texts[0] = texts[0]!.trimStart()
  if (inline.content !== inline.content.trimEnd()) texts.push(texts.pop()!.trimEnd())
  return texts
}

/** A block with its inner tokens. */
interface Block {
  readonly token: Token
  readonly inner: Token[]
}
/** The blocks of one level: each opening token with the tokens before its closing one. */
function blocksOf(tokens: readonly Token[]): Block[] {
  const blocks: Block[] = []
  let open: Block | null = null
  let depth = 0
  for (const token of tokens) {
    depth += token.nesting
    if (open && depth > 0) open.inner.push(token)
    else if (open) open = null
    else {
      const block: Block = { token, inner: [] }
      blocks.push(block)
      if (token.nesting === 1) open = block
    }
  }
  return blocks
}
const isList = ({ token: { type } }: Block) => type === 'bullet_list_open' || type === 'ordered_list_open'

const NESTED_INDENT = '  '
/** A nested list as plain lines with markers. */
function listLines({ token, inner }: Block, reading: Reading): string[] {
  return blocksOf(inner).flatMap((item) => {
    const marker = token.type === 'ordered_list_open' ? `${item.token.info}${item.token.markup}` : '-'
    const [first = '', ...rest] = plainText(item.inner, reading).replace(CHECKBOX, '').split('\n')
    return [`${marker} ${first}`, ...rest.map((line) => (line === '' ? '' : `${NESTED_INDENT}${line}`))]
  })
}

/** The readable text of a block; empty for omitted ones. */
function blockText(block: Block, reading: Reading): string {
  const { token, inner } = block
  if (isList(block)) return listLines(block, reading).join('\n')
  switch (token.type) {
    case 'paragraph_open':
    case 'heading_open':
      return linesOf(inner[0]!, reading).join('\n')
    case 'blockquote_open':
      return plainText(inner, reading)
    case 'fence':
    case 'code_block':
      return token.content.replace(/\n$/, '')
    case 'html_block':
      if (!token.content.startsWith('<!--'))
        reading.notes.add(
          lineOf(token, reading),
          `HTML was left out: ${cutText(token.content.trim().split('\n', 1)[0]!, 60)}`,
        )
      return ''
    default:
      return ''
  }
}
/** Blocks as plain text, separated by empty lines; a list follows its sentence directly. */
function plainText(tokens: readonly Token[], reading: Reading): string {
  let text = ''
  for (const block of blocksOf(tokens)) {
    const one = blockText(block, reading)
    if (one !== '') text += text === '' ? one : `${isList(block) ? '\n' : '\n\n'}${one}`
  }
  return text
}

/** True for a paragraph that is one line of bold text, which many playbooks use as a heading. */
function isBoldLine({ children }: Token): boolean {
  const outer = (children ?? []).filter(
    ({ type, level, content }) => level === 0 && !(type === 'text' && /^[\s:]*$/.test(content)),
  )
  return outer.length > 0 && outer.every(({ type }) => type === 'strong_open' || type === 'strong_close')
}
/** The text of a fully emphasized paragraph. */
function emphasizedText({ children }: Token, reading: Reading): string | null {
  const parts = (children ?? []).filter(({ type, content }) => type !== 'text' || content !== '')
  const isWhole =
    parts[0]?.type === 'em_open' &&
    parts.at(-1)?.type === 'em_close' &&
    parts.slice(1, -1).every(({ level }) => level > 0)
  return isWhole
    ? linesOf({ children: parts.slice(1, -1), map: null, content: '' }, reading).join('\n')
    : null
}

interface Step {
  readonly activity: ImportedActivity
  /** True when the description is its own rather than a copy of the title. */
  readonly isDescribed: boolean
}
const described = (title: string, description: string, line: number): Step => {
  const isDescribed = description.trim() !== ''
  return { activity: plainTask(title, isDescribed ? description : title, line), isDescribed }
}

/** A list item as a task; null for an empty one. */
function taskOf({ token, inner }: Block, reading: Reading): Step | null {
  const line = lineOf(token, reading)
  const blocks = blocksOf(inner)
  const last = blocks.at(-1)
  const details =
    blocks.length > 1 && last?.token.type === 'paragraph_open'
      ? readDetails(emphasizedText(last.inner[0]!, reading) ?? '')
      : null
  const [first, ...others] = details ? blocks.slice(0, -1) : blocks
  if (!first) return null
  const isParagraph = first.token.type === 'paragraph_open'
  const lines = isParagraph ? linesOf(first.inner[0]!, reading) : blockText(first, reading).split('\n')
  const isCheckbox = isParagraph && CHECKBOX.test(first.inner[0]!.content)
  if (isCheckbox) lines[0] = lines[0]!.replace(CHECKBOX, '')
  const at = lines.findIndex((one) => one.trim() !== '')
  const rest = lines.slice(at + 1).join('\n')
  const below = others
    .map((block) => ({ text: blockText(block, reading), joint: isList(block) ? '\n' : '\n\n' }))
    .filter(({ text }) => text !== '')
    .reduce((text, { text: one, joint }) => (text === '' ? one : `${text}${joint}${one}`), rest)
  const title = at < 0 ? '' : lines[at]!
  if (title === '' && below.trim() === '') return null
  const step = described(title === '' ? below.trim().split('\n', 1)[0]! : title, below, line)
  return { ...step, activity: { ...step.activity, ...details } }
}

/** A paragraph below a heading becomes a task, because headings of a playbook have no text. */
function taskFromText(text: string, line: number): Step | null {
  const title = text.trim().split('\n', 1)[0]!
  return title === '' ? null : described(title, text, line)
}
/** Appends a text to the preceding task. */
function withText({ activity, isDescribed }: Step, text: string): Step {
  const description = isDescribed ? `${activity.description}\n\n${text}` : text
  return { activity: { ...activity, description }, isDescribed: true }
}

interface Draft {
  name: string | null
  readonly brief: string[]
  readonly steps: Step[]
}
function addStep({ steps }: Draft, step: Step | null): void {
  if (step) steps.push(step)
  if (steps.length > PLAYBOOK_ITEMS_MAX) throw wrongFile(TOO_MANY_STEPS)
}
function addText(draft: Draft, text: string, line: number): void {
  const last = draft.steps.at(-1)
  if (text === '') return
  if (!last) draft.brief.push(text)
  else if (last.activity.type === 'HEADING') addStep(draft, taskFromText(text, line))
  else draft.steps[draft.steps.length - 1] = withText(last, text)
}
const isInvisible = ({ token: { type } }: Block) => type === 'html_block' || type === 'hr'

function addBlock(draft: Draft, block: Block, isFirst: boolean, reading: Reading): void {
  const { token, inner } = block
  const line = lineOf(token, reading)
  if (isList(block)) {
    for (const item of blocksOf(inner)) addStep(draft, taskOf(item, reading))
    return
  }
  const isHeading = token.type === 'heading_open'
  if (!isHeading && !(token.type === 'paragraph_open' && isBoldLine(inner[0]!))) {
    addText(draft, blockText(block, reading), line)
    return
  }
  const title = linesOf(inner[0]!, reading).join(' ')
  if (title.trim() === '') return
  if (isHeading && isFirst) draft.name = title
  else addStep(draft, { activity: plainHeading(title, line), isDescribed: true })
}

/** Cuts a long title, keeps it whole in the description, and adds a note. */
function short({ activity }: Step, { notes }: Reading): ImportedActivity {
  if (activity.title.length > SHORT_TEXT_MAX && activity.type === 'TASK')
    notes.add(activity.line, 'The title is too long. The whole of it begins the description.')
  return activity.type === 'TASK' ? withShortTitle(activity) : activity
}

const DASHES = /^---[ \t]*$/
const FRONT_LINE = /^[ \t]*(?:[\w-]+[ \t]*:|#|- |$)/
/** The YAML lines between two lines of dashes at the top; null where there are none. */
function frontMatter(lines: readonly string[]): string[] | null {
  if (!DASHES.test(lines[0]!)) return null
  const end = lines.findIndex((line, index) => index > 0 && !FRONT_LINE.test(line))
  return end > 0 && DASHES.test(lines[end]!) ? lines.slice(1, end) : null
}
/** The value of a simple YAML key at the top. */
function frontValue(front: readonly string[], key: string): string | null {
  const found = new RegExp(`^${key}[ \\t]*:[ \\t]*([^\\n]*)`, 'im').exec(front.join('\n'))?.[1]?.trim()
  if (!found) return null
  if (/^".*"$/.test(found)) {
    try {
      return JSON.parse(found) as string
    } catch {
      return found.slice(1, -1)
    }
  }
  return /^'.*'$/.test(found) ? found.slice(1, -1).replaceAll("''", "'") : found.split(/\s#/, 1)[0]!
}

/**
 * Reads a playbook from Markdown (docs/decisions/040). Readable content becomes plain text; pictures, HTML and odd
 * links are left out with a note.
 * @param fallbackName for a file that begins with no heading and has no name at its top
 * @throws Refusal 400 for one without headings and list items, and for one that is nested too deeply
 */
export function readMarkdown(content: string, fallbackName: string): ImportedPlaybook {
  const lines = content.replace(/\r\n?/g, '\n').split('\n')
  const front = frontMatter(lines)
  const offset = front ? front.length + 2 : 0
  const reading: Reading = { notes: notebook(), offset }
  const tokens = parser.parse(lines.slice(offset).join('\n'), {})
  const deep = tokens.find(({ level }) => level >= NESTING_MAX - 2)
  if (deep) throw wrongLine(lineOf(deep, reading), TOO_DEEP)
  const draft: Draft = { name: null, brief: [], steps: [] }
  let isFirst = true
  for (const block of blocksOf(tokens)) {
    addBlock(draft, block, isFirst, reading)
    isFirst &&= isInvisible(block)
  }
  return finished({
    name: draft.name ?? frontValue(front ?? [], '(?:name|title)') ?? fallbackName,
    categoryName: frontValue(front ?? [], 'category'),
    description: draft.brief.join('\n\n'),
    activities: draft.steps.map((step) => short(step, reading)),
    notes: reading.notes.all(),
  })
}
