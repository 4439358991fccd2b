import { splitEnds } from '#contract/kit/cut.ts'
import { conditionLine, detailsLine } from '#contract/playbook-imports/rules.ts'
import type { PlaybookActivity, PlaybookTemplate } from '#contract/playbooks/schema.ts'
import { readFormatted, textOfFormatted } from '#server/kit/core/formatted-text.ts'

import { asCodes, escapedHeading, escapedLine, escapedTitle } from './escapes.content.ts'
import { markdownLines, needsFrame, runLines } from './formatted.content.ts'

/** Fields of a playbook in a source file. */
export type SourcePlaybook = Pick<PlaybookTemplate, 'name' | 'description'> & {
  readonly categoryName: string | null
  readonly activities: readonly Pick<
    PlaybookActivity,
    | 'type'
    | 'title'
    | 'description'
    | 'formattedDescription'
    | 'level'
    | 'condition'
    | 'priority'
    | 'idealTitleToExecute'
    | 'expectedTimeToComplete'
  >[]
}

const isLineBreak = (character: string) => character === '\n'
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

/** Text below a heading. An element marks lists and headings in it as text. */
function textLines({ description, formattedDescription }: SourcePlaybook['activities'][number]): string[] {
  if (description === '') return []
  if (formattedDescription === null) return ['', ...paragraphsOf(description)]
  const blocks = readFormatted(formattedDescription)
  const lines = markdownLines(blocks)
  return needsFrame(blocks) ? ['', '<div data-description>', '', ...lines, '', '</div>'] : ['', ...lines]
}
function headingLines(item: SourcePlaybook['activities'][number]): string[] {
  const { title, level, condition } = item
  // The name is the only heading of the first level.
  const heading = `${'#'.repeat(level + 1)} ${escapedHeading(title)}`
  return [
    heading,
    ...(condition === null ? [] : ['', `*${escapedTitle(conditionLine(condition))}*`]),
    ...textLines(item),
  ]
}

/** The title of a task and its description, which may be the title with formatting. */
function taskTexts(task: SourcePlaybook['activities'][number]): { title: string; below: string[] } {
  const { title, description, formattedDescription } = task
  const plain = escapedTitle(title)
  if (formattedDescription === null)
    return { title: plain, below: description === title ? [] : ['', ...paragraphsOf(description)] }
  const blocks = readFormatted(formattedDescription)
  const [only, ...others] = blocks
  if (only?.kind === 'paragraph' && others.length === 0 && textOfFormatted(blocks) === title)
    return { title: runLines(only.runs).join(' '), below: [] }
  return { title: plain, below: ['', ...markdownLines(blocks)] }
}
function taskLines(task: SourcePlaybook['activities'][number], number: number): string[] {
  const { title, below: text } = taskTexts(task)
  const details = detailsLine(task)
  const marker = `${number}. `
  const indent = ' '.repeat(marker.length)
  const below = [...text, ...(details === null ? [] : ['', `*${escapedTitle(details)}*`])]
  return [`${marker}${title}`, ...below.map((line) => (line === '' ? '' : `${indent}${line}`))]
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
