import { readCondition, readDetails, withShortTitle } from '#contract/playbook-imports/rules.ts'
import type { ImportedActivity, ImportedPlaybook } from '#contract/playbook-imports/schema.ts'
import { SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import { HEADING_LEVEL_MAX, PLAYBOOK_ITEMS_MAX } from '#contract/playbooks/schema.ts'

import { blockHtml, formattedOf, inlineHtml } from './formatted.content.ts'
import { readFrontMatter } from './front-matter.content.ts'
import {
  type Block,
  blocksOf,
  blockText,
  type Element,
  isElement,
  isList,
  isParagraph,
  itemsOf,
  linesOf,
  type Node,
  onlyElements,
  parseHtml,
} from './html.content.ts'
import { renderMarkdown } from './markdown-html.content.ts'
import {
  finished,
  type Notebook,
  notebook,
  plainHeading,
  plainTask,
  TOO_MANY_STEPS,
  wrongFile,
} from './reading.content.ts'

const HEADING = /^h([1-6])$/
const BOLD: ReadonlySet<string> = new Set(['strong', 'b'])
const EMPHASIZED: ReadonlySet<string> = new Set(['em'])
const CONTENTS = /^\[\[?_?toc_?\]?\]$/i
/** Heading of steps that follow folded ones, where none stands above them. */
const AFTERWARDS = 'Afterwards'

interface Step {
  readonly activity: ImportedActivity
  /** True when the description is its own rather than a copy of the title. */
  readonly isDescribed: boolean
  /** The description as rich text; that of the title where it has none of its own. */
  readonly html: readonly string[]
}
const described = (title: string, description: string, line: number, html: readonly string[]): Step => {
  const isDescribed = description.trim() !== ''
  return { activity: plainTask(title, isDescribed ? description : title, line), isDescribed, html }
}

/** The text of a fully emphasized paragraph, as exports write the details of a task. */
function emphasizedText(block: Block | undefined, notes: Notebook): string | null {
  if (!block || !isParagraph(block)) return null
  const [only, ...others] = onlyElements(block.inline, EMPHASIZED) ?? []
  return only && others.length === 0 ? linesOf(only.children, notes).join('\n') : null
}

/** A list item as a task; null for an empty one. */
function taskOf({ children, line }: Element, notes: Notebook): Step | null {
  const blocks = blocksOf(children)
  const details = blocks.length > 1 ? readDetails(emphasizedText(blocks.at(-1), notes) ?? '') : null
  const [first, ...others] = details ? blocks.slice(0, -1) : blocks
  if (!first) return null
  const lines = isParagraph(first) ? linesOf(first.inline, notes) : blockText(first, notes).split('\n')
  const at = lines.findIndex((one) => one.trim() !== '')
  const below = others
    .map((block) => ({ text: blockText(block, notes), joint: isList(block) ? '\n' : '\n\n' }))
    .filter(({ text }) => text !== '')
    .reduce(
      (text, { text: one, joint }) => (text === '' ? one : `${text}${joint}${one}`),
      lines.slice(at + 1).join('\n'),
    )
  const title = at < 0 ? '' : lines[at]!
  if (title === '' && below.trim() === '') return null
  const isTitled = below.trim() === ''
  const html = isTitled
    ? [blockHtml(first)]
    : [...afterTitle(first, at), ...others.map((block) => blockHtml(block))]
  const step = described(title === '' ? below.trim().split('\n', 1)[0]! : title, below, line, html)
  return { ...step, activity: { ...step.activity, ...details } }
}
/** The first block of a step as rich text, without the lines up to its title. */
function afterTitle(first: Block, titleAt: number): string[] {
  // Other blocks stay whole, so that no line of them is lost.
  if (!isParagraph(first)) return [blockHtml(first)]
  const lines = inlineHtml(first.inline).split('<br>')
  return lines.length > titleAt + 1 ? [`<p>${lines.slice(titleAt + 1).join('<br>')}</p>`] : []
}
/** Appends a text to a heading or a task. */
function withText({ activity, isDescribed, html: before }: Step, text: string, html: string): Step {
  const description = isDescribed ? `${activity.description}\n\n${text}` : text
  const kept = isDescribed ? [...before, html] : [html]
  return { activity: { ...activity, description }, isDescribed: true, html: kept }
}

/** A playbook while its file is read from top to bottom. */
class Draft {
  name: string | null = null
  nameDepth = 0
  readonly brief: string[] = []
  readonly steps: Step[] = []
  readonly #notes: Notebook
  /** Depth of the last heading of the file; lines of bold text and summaries stand one below. */
  #depth = 0
  /** Heading to repeat before steps that follow folded ones. */
  #continued: { readonly title: string; readonly depth: number } | null = null
  #isBegun = false

  constructor(notes: Notebook) {
    this.#notes = notes
  }
  #add(step: Step): void {
    this.steps.push(step)
    if (this.steps.length > PLAYBOOK_ITEMS_MAX) throw wrongFile(TOO_MANY_STEPS)
  }
  #addHeading(title: string, line: number, depth: number): void {
    this.#continued = null
    // The depth becomes a level when all of them are known.
    this.#add({ activity: plainHeading(title, line, depth), isDescribed: false, html: [] })
  }
  #addTask(step: Step): void {
    if (this.#continued)
      this.#addHeading(this.#continued.title, step.activity.line ?? 0, this.#continued.depth)
    this.#add(step)
  }
  #addText(text: string, block: Block): void {
    const last = this.steps.at(-1)
    if (text === '') return
    if (last) this.steps[this.steps.length - 1] = withText(last, text, blockHtml(block))
    else this.brief.push(text)
  }
  #titleOf(nodes: readonly Node[]): string {
    return linesOf(nodes, this.#notes).join(' ')
  }

  #readHeading({ children, line }: Element, depth: number): void {
    const title = this.#titleOf(children)
    if (title.trim() === '') return
    if (this.#isBegun) {
      this.#depth = depth
      this.#addHeading(title, line, depth)
    } else {
      this.name = title
      this.nameDepth = depth
      this.#depth = depth
    }
    this.#isBegun = true
  }
  /** Folded steps stand below their summary, and those after them below the heading before it once more. */
  #readDetails(details: Element): void {
    const summary = details.children.filter(isElement).find(({ name }) => name === 'summary')
    const last = this.steps.findLast(({ activity }) => activity.type === 'HEADING')?.activity
    const depth = this.#depth
    const above = { title: last?.title ?? AFTERWARDS, depth: last?.level ?? depth + 1 }
    const continued = this.#continued ?? above
    this.#isBegun = true
    this.#depth += 1
    this.#addHeading(this.#titleOf(summary?.children ?? []).trim() || 'Details', details.line, this.#depth)
    this.read(details.children.filter((child) => child !== summary))
    this.#depth = depth
    this.#continued = continued
  }
  #readText(block: Block): void {
    const text = blockText(block, this.#notes)
    this.#isBegun ||= text !== ''
    if (CONTENTS.test(text)) this.#notes.add(block.line, 'A table of contents was left out.')
    else this.#addText(text, block)
  }
  /** Reads the condition of the heading that was read last. It stands before its text and steps. */
  #readCondition(block: Block): boolean {
    const last = this.steps.at(-1)
    if (last?.activity.type !== 'HEADING' || last.isDescribed || last.activity.condition !== null)
      return false
    const marked = emphasizedText(block, this.#notes)
    const condition = readCondition(marked ?? blockText(block, this.#notes), marked !== null)
    if (condition === null) return false
    this.steps[this.steps.length - 1] = { ...last, activity: { ...last.activity, condition } }
    return true
  }
  #readBoldLine(nodes: readonly Node[], line: number): void {
    const title = this.#titleOf(nodes)
    this.#isBegun = true
    if (title.trim() !== '') this.#addHeading(title, line, this.#depth + 1)
  }
  #readList(list: Element): void {
    this.#isBegun = true
    for (const item of itemsOf(list)) {
      const task = taskOf(item, this.#notes)
      if (task) this.#addTask(task)
    }
  }
  #readElement(element: Element): void {
    const { name, attributes, children } = element
    const depth = HEADING.exec(name)?.[1]
    if (depth) this.#readHeading(element, Number(depth))
    else if (isList(element)) this.#readList(element)
    else if (TEXTS.has(name) || DESCRIPTION in attributes || !hasSteps(element)) this.#readText(element)
    else if (name === 'details') this.#readDetails(element)
    else this.read(children)
  }
  read(nodes: readonly Node[]): void {
    for (const block of blocksOf(nodes))
      if (!isParagraph(block)) this.#readElement(block)
      else if (this.#readCondition(block)) continue
      else if (onlyElements(block.inline, BOLD)) this.#readBoldLine(block.inline, block.line)
      else this.#readText(block)
  }

  /** Headings and tasks, with levels from 1. The name of a file is not always its only top heading. */
  activities(): ImportedActivity[] {
    const depths = this.steps.flatMap(({ activity: { type, level } }) => (type === 'HEADING' ? [level] : []))
    const top = Math.min(...depths)
    const base = this.nameDepth === 1 && top > 1 ? 2 : top
    return this.steps.map(({ activity, html }) => {
      const note = () => this.#notes.add(activity.line, FORMATTING_LEFT_OUT)
      const level = activity.type === 'TASK' ? 1 : Math.min(activity.level - base + 1, HEADING_LEVEL_MAX)
      return { ...activity, ...formattedOf(html.join(''), note), level }
    })
  }
}
const FORMATTING_LEFT_OUT = 'The formatting was left out, because the text is too long for it.'
/** Attribute of an element whose lists and headings are text of the heading above it, as exports write it. */
const DESCRIPTION = 'data-description'
/** Elements that belong to the step before them, whatever they contain. */
const TEXTS: ReadonlySet<string> = new Set(['blockquote', 'table', 'pre', 'dl'])
/** True for an element with a list or a heading in it. */
const hasSteps = ({ children }: Element): boolean =>
  children.some((child) => isElement(child) && (isList(child) || HEADING.test(child.name) || hasSteps(child)))

/** Cuts a long title, keeps it whole in the description, and adds a note. */
function short(activity: ImportedActivity, notes: Notebook): ImportedActivity {
  if (activity.title.length > SHORT_TEXT_MAX)
    notes.add(activity.line, 'The title is too long. The whole of it begins the description.')
  return withShortTitle(activity)
}

/**
 * Reads a playbook from Markdown (docs/decisions/040, 087). Readable content becomes text; pictures, scripts,
 * frames, forms and odd links are left out with a note.
 * @param fallbackName for a file that begins with no heading and has no name at its top
 * @throws Refusal 400 for one without headings and list items, and for one that is nested too deeply
 */
export function readMarkdown(content: string, fallbackName: string): ImportedPlaybook {
  const lines = content.replace(/\r\n?/g, '\n').split('\n')
  const notes = notebook()
  const front = readFrontMatter(lines, notes)
  const draft = new Draft(notes)
  draft.read(parseHtml(renderMarkdown(lines.slice(front.lines).join('\n'), front.lines)).children)
  return finished({
    name: draft.name ?? front.name ?? fallbackName,
    categoryName: front.categoryName,
    description: draft.brief.join('\n\n'),
    activities: draft.activities().map((activity) => short(activity, notes)),
    notes: notes.all(),
  })
}
