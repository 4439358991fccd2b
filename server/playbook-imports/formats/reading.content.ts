import type { ImportedActivity, ImportedPlaybook, ImportNote } from '#contract/playbook-imports/schema.ts'
import { PLAYBOOK_ITEMS_MAX } from '#contract/playbooks/schema.ts'
import { Refusal, wrongField } from '#server/kit/core/refusal.ts'

export const NO_STEPS = 'No headings or tasks were found in this file.'
export const TOO_MANY_STEPS = `This file has more than ${PLAYBOOK_ITEMS_MAX} headings and tasks. Please split it.`
/** Maximum number of playbooks in one file. */
export const PLAYBOOKS_PER_FILE = 1_000
/** Notes returned for one playbook; the last one counts the rest. */
const NOTES_MAX = 100

/** The refusal of a file, with the problem and its place. */
export const wrongFile = (sentence: string): Refusal => wrongField('content', sentence)
export const wrongLine = (line: number, sentence: string): Refusal => wrongFile(`Line ${line}: ${sentence}`)

/** A task without details. */
export const plainTask = (title: string, description: string, line: number | null): ImportedActivity => ({
  type: 'TASK',
  title,
  description,
  formattedDescription: null,
  level: 1,
  condition: null,
  priority: 'MEDIUM',
  idealTitleToExecute: null,
  expectedTimeToComplete: null,
  line,
})
export const plainHeading = (title: string, line: number | null, level = 1): ImportedActivity => ({
  ...plainTask(title, '', line),
  type: 'HEADING',
  level,
})

/** Collects any number of notes and returns the first of them. */
export function notebook() {
  const notes: ImportNote[] = []
  let more = 0
  return {
    add(line: number | null, message: string): void {
      if (notes.length < NOTES_MAX) notes.push({ line, message })
      else more += 1
    },
    all: (): ImportNote[] =>
      more === 0 ? notes : [...notes, { line: null, message: `${more} more notes of this kind.` }],
  }
}
export type Notebook = ReturnType<typeof notebook>

/** Replaces NUL and lone surrogates, which JSON can contain and PostgreSQL cannot store. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/**
 * A playbook that is ready for the response.
 * @throws Refusal 400 for one without steps or with far too many
 */
export function finished(playbook: ImportedPlaybook): ImportedPlaybook {
  const { name, categoryName, description, activities, notes } = playbook
  if (activities.length === 0) throw wrongFile(NO_STEPS)
  if (activities.length > PLAYBOOK_ITEMS_MAX) throw wrongFile(TOO_MANY_STEPS)
  return {
    name: storable(name),
    categoryName: categoryName === null ? null : storable(categoryName),
    description: storable(description),
    activities: activities.map((activity) => ({
      ...activity,
      title: storable(activity.title),
      description: storable(activity.description),
      formattedDescription:
        activity.formattedDescription === null ? null : storable(activity.formattedDescription),
      condition: activity.condition === null ? null : storable(activity.condition),
      idealTitleToExecute:
        activity.idealTitleToExecute === null ? null : storable(activity.idealTitleToExecute),
    })),
    notes: notes.map(({ line, message }) => ({ line, message: storable(message) })),
  }
}
