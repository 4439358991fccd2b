import { cutText } from '#contract/playbook-imports/rules.ts'
import type {
  ImportColumn,
  ImportedActivity,
  ImportedPlaybook,
  ImportPreview,
} from '#contract/playbook-imports/schema.ts'

import { columnsOf, isInSeconds, minutesOf, priorityOf } from './columns.content.ts'
import {
  finished,
  type Notebook,
  notebook,
  PLAYBOOKS_PER_FILE,
  plainHeading,
  plainTask,
  wrongFile,
  wrongLine,
} from './reading.content.ts'

interface Row {
  readonly line: number
  readonly cells: readonly string[]
}
const DELIMITERS = [',', ';', '\t']
/** Values of a column that help to assign it. */
const SAMPLES = 3
/** Characters of a value in a note or a sample. */
const VALUE_MAX = 80

/** The delimiter that stands most often between the headings. A table may be too short to be guessed by its rows. */
function delimiterOf(content: string): string {
  const headings = content
    .trimStart()
    .split('\n', 1)[0]!
    .replace(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((delimiter) => headings.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!
}

/** The rows of the file with their line numbers. */
async function rowsOf(content: string): Promise<Row[]> {
  const { default: Papa } = await import('papaparse')
  const rows: Row[] = []
  let [line, at] = [1, 0]
  Papa.parse<string[]>(content, {
    delimiter: delimiterOf(content),
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

/** Columns of a table with the headings of the file. */
interface Layout {
  readonly headings: readonly string[]
  readonly columns: readonly (ImportColumn | null)[]
}
/** The values of a row by column. A column that a table has several times is joined. */
class Values {
  readonly line: number
  readonly #layout: Layout
  readonly #cells: readonly string[]

  constructor({ line, cells }: Row, layout: Layout) {
    this.line = line
    this.#layout = layout
    this.#cells = cells
  }
  get(column: ImportColumn): string {
    return this.#layout.columns
      .flatMap((one, place) => (one === column ? [unquoted(this.#cells[place] ?? '')] : []))
      .filter(Boolean)
      .join(', ')
  }
  /** Translates a value, or leaves it out with a note. */
  read<T>(
    column: ImportColumn,
    notes: Notebook,
    translate: (text: string, heading: string) => T | undefined,
  ): T | null {
    const text = this.get(column)
    if (text === '') return null
    const heading = this.#layout.headings[this.#layout.columns.indexOf(column)] ?? ''
    const value = translate(text, heading)
    if (value === undefined)
      notes.add(this.line, `${heading || column}: “${cutText(text, VALUE_MAX)}” was left out.`)
    return value ?? null
  }
}

const TYPES: ReadonlyMap<string, ImportedActivity['type']> = new Map([
  ['task', 'TASK'],
  ['heading', 'HEADING'],
])
/** A row as heading or task; null for one without a title. */
function itemOf(values: Values, notes: Notebook): ImportedActivity | null {
  const { line } = values
  const description = values.get('description')
  const title = values.get('title') || description.split('\n', 1)[0]!
  if (title === '') {
    notes.add(line, 'A row without a title was left out.')
    return null
  }
  const type = values.read('type', notes, (text) => TYPES.get(text.toLowerCase()))
  if (type === 'HEADING') return { ...plainHeading(title, line), description }
  const labels = values.get('labels')
  const texts = [description, ...(labels === '' ? [] : [`Labels: ${labels}`])].filter(Boolean)
  return {
    ...plainTask(title, texts.join('\n\n') || title, line),
    priority: values.read('priority', notes, priorityOf) ?? 'MEDIUM',
    idealTitleToExecute: values.get('role') || null,
    expectedTimeToComplete: values.read('minutes', notes, (text, heading) =>
      minutesOf(text, isInSeconds(heading)),
    ),
  }
}

/** A playbook while its rows are read: tasks by the heading that a column gives them. */
interface Draft {
  readonly categoryName: string | null
  readonly notes: Notebook
  readonly sections: Map<string, ImportedActivity[]>
}
function addRow(playbooks: Map<string, Draft>, values: Values, fallbackName: string): void {
  const name = values.get('playbook') || fallbackName
  const draft = playbooks.get(name) ?? {
    categoryName: values.get('category') || null,
    notes: notebook(),
    sections: new Map<string, ImportedActivity[]>(),
  }
  playbooks.set(name, draft)
  if (playbooks.size > PLAYBOOKS_PER_FILE)
    throw wrongFile(`This file has more than ${PLAYBOOKS_PER_FILE} playbooks.`)
  const item = itemOf(values, draft.notes)
  if (!item) return
  const heading = values.get('heading')
  const section = draft.sections.get(heading) ?? (heading === '' ? [] : [plainHeading(heading, values.line)])
  section.push(item)
  draft.sections.set(heading, section)
}
const playbookOf = (
  [name, { categoryName, notes, sections }]: [string, Draft],
  all: readonly string[],
): ImportedPlaybook => {
  // Rows without a heading come first.
  const first = sections.get('') ?? []
  const others = [...sections].flatMap(([heading, items]) => (heading === '' ? [] : items))
  for (const message of all) notes.add(null, message)
  return finished({
    name,
    categoryName,
    description: '',
    activities: [...first, ...others],
    notes: notes.all(),
  })
}

/** Notes about columns, and about cells beyond them. */
function notesOf({ headings, columns }: Layout, rows: readonly Row[]): string[] {
  const unread = headings.filter((heading, place) => columns[place] === null && heading !== '')
  const beyond = rows.filter(({ cells }) => cells.slice(headings.length).some((text) => text.trim() !== ''))
  return [
    ...(unread.length === 0 ? [] : [`Columns that were left out: ${unread.join(', ')}.`]),
    ...beyond.map(({ line }) => `Line ${line}: cells beyond the headings were left out.`),
  ]
}

/**
 * Reads playbooks from a table: a row for each task, and columns by their headings. Values that do not fit are left out
 * with a note. A table whose headings name no title is answered with its columns, to be assigned.
 * @param assigned the columns as a person assigned them
 * @throws Refusal 400 that names the line with a wrong quotation mark
 */
export async function readTable(
  content: string,
  fallbackName: string,
  assigned?: readonly (ImportColumn | null)[],
): Promise<Pick<ImportPreview, 'playbooks' | 'table'>> {
  const [head, ...rows] = await rowsOf(content)
  const headings = (head?.cells ?? []).map((cell) => cell.trim())
  const columns = headings.map((_, place) => assigned?.[place] ?? null)
  const layout = { headings, columns: assigned ? columns : columnsOf(headings) }
  if (rows.length === 0) throw wrongFile('There are no rows below the headings.')
  if (!layout.columns.includes('title')) {
    const samples = headings.map((_, place) =>
      rows
        .flatMap(({ cells }) => (cells[place]?.trim() ? [cutText(cells[place].trim(), VALUE_MAX)] : []))
        .slice(0, SAMPLES),
    )
    return { playbooks: [], table: { ...layout, samples, rowsCount: rows.length } }
  }
  const playbooks = new Map<string, Draft>()
  for (const row of rows) addRow(playbooks, new Values(row, layout), fallbackName)
  const notes = notesOf(layout, rows)
  return { playbooks: [...playbooks].map((one) => playbookOf(one, notes)), table: null }
}
