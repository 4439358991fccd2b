import { isSpace, splitEnds } from '#contract/kit/cut.ts'
import { conditionLine, detailsLine } from '#contract/playbook-imports/rules.ts'
import type { PlaybookActivity, PlaybookTemplate } from '#contract/playbooks/schema.ts'

/** Fields of a playbook in a source file. */
export type SourcePlaybook = Pick<PlaybookTemplate, 'name' | 'description'> & {
  readonly categoryName: string | null
  readonly activities: readonly Pick<
    PlaybookActivity,
    | 'type'
    | 'title'
    | 'description'
    | 'level'
    | 'condition'
    | 'priority'
    | 'idealTitleToExecute'
    | 'expectedTimeToComplete'
  >[]
}

const codeOf = (character: string): string => `&#${character.codePointAt(0)};`
const asCodes = (space: string): string => Array.from(space, codeOf).join('')
const isLineBreak = (character: string) => character === '\n'
const INLINE = /[\\`*[\]<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu
/** Characters that would begin a heading, list, quote, rule, code block, or the second line of a table. */
const BLOCK_START = /^(?:>|[-+=~#|:](?![\p{L}\p{N}]))/u
const NUMBER_START = /^(\d{1,9})([.)])(?=\s|$)/

/** Escapes one line of plain text. Spaces at its ends become character references. */
function escapedLine(line: string): string {
  const [before, middle, after] = splitEnds(line, isSpace)
  const text = middle
    .replace(INLINE, '\\$&')
    .replace(BLOCK_START, '\\$&')
    .replace(NUMBER_START, '$1\\$2')
    .replaceAll('\r', codeOf)
  return `${asCodes(before)}${text}${asCodes(after)}`
}

/** A text without line breaks, such as a title. */
const escapedTitle = (title: string): string => escapedLine(title).replaceAll('\n', codeOf)
/** Escapes trailing signs, which would close the heading. */
const escapedHeading = (title: string): string => escapedTitle(title).replace(/(?<=\s)#+$/, '\\$&')
/** A text in double quotes for YAML and JSON, on one line. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u0085\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Plain text as Markdown lines: single line breaks become hard ones, empty lines begin a paragraph. */
function paragraphsOf(text: string): string[] {
  const [before, middle, after] = splitEnds(text, isLineBreak)
  const written = middle.split(/(\n+)/).map((part, index) => {
    if (index % 2 === 0) return escapedLine(part)
    return part.length === 1 ? '\\\n' : `\n\n${asCodes(part.slice(2))}`
  })
  return `${asCodes(before)}${written.join('')}${asCodes(after)}`.split('\n')
}

function headingLines({
  title,
  description,
  level,
  condition,
}: SourcePlaybook['activities'][number]): string[] {
  // The name is the only heading of the first level.
  const heading = `${'#'.repeat(level + 1)} ${escapedHeading(title)}`
  return [
    heading,
    ...(condition === null ? [] : ['', `*${escapedTitle(conditionLine(condition))}*`]),
    ...(description === '' ? [] : ['', ...paragraphsOf(description)]),
  ]
}

function taskLines(task: SourcePlaybook['activities'][number], number: number): string[] {
  const { title, description } = task
  const details = detailsLine(task)
  const marker = `${number}. `
  const indent = ' '.repeat(marker.length)
  const below = [
    ...(description === title ? [] : ['', ...paragraphsOf(description)]),
    ...(details === null ? [] : ['', `*${escapedTitle(details)}*`]),
  ]
  return [`${marker}${escapedTitle(title)}`, ...below.map((line) => (line === '' ? '' : `${indent}${line}`))]
}

/**
 * A playbook as Markdown that reads well in a repository and is equal after an import (docs/decisions/040): headings
 * are headings, tasks are list items with their description below.
 */
export function markdownOf({ name, categoryName, description, activities }: SourcePlaybook): string {
  const lines = [
    ...(categoryName === null ? [] : ['---', `category: ${quoted(categoryName)}`, '---', '']),
    `# ${escapedHeading(name)}`,
    ...(description === '' ? [] : ['', ...paragraphsOf(description)]),
  ]
  let number = 0
  // Tasks without a description need no empty line between them.
  let isClose = false
  for (const activity of activities) {
    const isTask = activity.type === 'TASK'
    number = isTask ? number + 1 : 0
    const item = isTask ? taskLines(activity, number) : headingLines(activity)
    const isShort = isTask && item.length === 1
    lines.push(...(isClose && isShort ? [] : ['']), ...item)
    isClose = isShort
  }
  return `${lines.join('\n')}\n`
}
