import { type Priority, PRIORITIES, RECOVERY_TIME_MAX } from '#contract/incidents/schema.ts'
import type { ImportedActivity, ImportedPlaybook } from '#contract/playbook-imports/schema.ts'

import {
  finished,
  PLAYBOOKS_PER_FILE,
  plainHeading,
  plainTask,
  wrongFile,
  wrongLine,
} from './reading.content.ts'

/** Columns by heading, in any order and case. Only the title is required. */
const COLUMNS = [
  'type',
  'title',
  'description',
  'priority',
  'role',
  'minutes',
  'playbook',
  'category',
] as const
type Cells = { readonly [column in (typeof COLUMNS)[number]]: string }
interface Row {
  readonly line: number
  readonly cells: readonly string[]
}
const DELIMITERS = [',', ';', '\t']
const HEADINGS_WRONG =
  'the first line must name the columns: Title, and where needed Type, Description, Priority, Role, Minutes, Playbook and Category.'

/** The rows of the file with their line numbers. */
async function rowsOf(content: string): Promise<Row[]> {
  const { default: Papa } = await import('papaparse')
  const rows: Row[] = []
  let [line, at] = [1, 0]
  Papa.parse<string[]>(content, {
    delimitersToGuess: DELIMITERS,
    step: ({ data, errors, meta }) => {
      if (errors.some(({ type }) => type === 'Quotes'))
        throw wrongLine(line, 'a quotation mark is missing or stands in the wrong place.')
      rows.push({ line, cells: data })
      for (; at < meta.cursor; at += 1) if (content[at] === '\n') line += 1
    },
  })
  return rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
}

/** Removes the apostrophe that exports put before formulas. Imports treat formulas as text. */
const unquoted = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@])/, '')

function priorityOf({ priority }: Cells, line: number): Priority {
  const found = PRIORITIES.find((one) => one === priority.toUpperCase())
  if (!found && priority !== '') throw wrongLine(line, 'Priority must be Low, Medium or High.')
  return found ?? 'MEDIUM'
}
function minutesOf({ minutes }: Cells, line: number): number | null {
  if (minutes === '') return null
  const number = /^\d{1,9}$/.test(minutes) ? Number(minutes) : 0
  if (number < 1 || number > RECOVERY_TIME_MAX)
    throw wrongLine(line, `Minutes must be a whole number from 1 to ${RECOVERY_TIME_MAX}.`)
  return number
}
function itemOf(cells: Cells, line: number): ImportedActivity {
  const type = cells.type.toUpperCase()
  if (!['', 'TASK', 'HEADING'].includes(type)) throw wrongLine(line, 'Type must be Task or Heading.')
  if (cells.title === '') throw wrongLine(line, 'Title is empty.')
  if (type === 'HEADING') return plainHeading(cells.title, line)
  return {
    ...plainTask(cells.title, cells.description || cells.title, line),
    priority: priorityOf(cells, line),
    idealTitleToExecute: cells.role || null,
    expectedTimeToComplete: minutesOf(cells, line),
  }
}

/**
 * Reads playbooks from a CSV file: a row for each heading or task, and a column for playbook names where there are
 * several.
 * @throws Refusal 400 that names the line
 */
export async function readCsv(content: string, fallbackName: string): Promise<ImportedPlaybook[]> {
  const [head, ...rows] = await rowsOf(content)
  const names = (head?.cells ?? []).map((cell) => cell.trim().toLowerCase())
  const positions = COLUMNS.map((column) => names.indexOf(column))
  if (!names.includes('title')) throw wrongLine(head?.line ?? 1, HEADINGS_WRONG)
  const playbooks = new Map<string, ImportedPlaybook>()
  for (const { line, cells: texts } of rows) {
    if (texts.slice(names.length).some((text) => text.trim() !== ''))
      throw wrongLine(line, 'there are more cells than headings.')
    const cells = Object.fromEntries(
      COLUMNS.map((column, n) => [column, unquoted(texts[positions[n]!] ?? '')]),
    ) as Cells
    const name = cells.playbook || fallbackName
    const playbook = playbooks.get(name) ?? {
      name,
      categoryName: cells.category || null,
      description: '',
      activities: [],
      notes: [],
    }
    playbook.activities.push(itemOf(cells, line))
    playbooks.set(name, playbook)
    if (playbooks.size > PLAYBOOKS_PER_FILE)
      throw wrongFile(`This file has more than ${PLAYBOOKS_PER_FILE} playbooks.`)
  }
  if (playbooks.size === 0) throw wrongFile('There are no rows below the headings.')
  return [...playbooks.values()].map(finished)
}
