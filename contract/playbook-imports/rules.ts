import { cut, isSpace, withoutEnd } from '#contract/kit/cut.ts'
import { type Priority, RECOVERY_TIME_MAX } from '#contract/incidents/schema.ts'
import { paragraphsOf } from '#contract/kit/paragraphs.ts'
import { isBlank, LONG_TEXT_MAX, MEDIUM_TEXT_MAX, SHORT_TEXT_MAX, tooLong } from '#contract/kit/text.ts'
import {
  CONDITION_MAX,
  ITEM_REQUIRED,
  missingInItem,
  PLAYBOOK_NAME_REQUIRED,
  tooManyItems,
} from '#contract/playbooks/schema.ts'

import type { ImportedActivity, ImportedPlaybook } from './schema.ts'

/** Identifies JSON files of the product and the version of their format. */
export const SOURCE_FORMAT = 'muster-playbook'
export const SOURCE_VERSION = 1

type Content = Omit<ImportedPlaybook, 'notes' | 'categoryName'>
/** Begins a line that is the condition of a heading. */
const ONLY_IF = 'Only if: '
/** The condition of a heading as one line of a Markdown file. */
export const conditionLine = (condition: string): string => `${ONLY_IF}${condition}`
const CONDITION = /^only if(?::|\s)\s*(\S[^\n]*)$/i
/**
 * The condition that a line states: `Only if: …`, or `Only if … :` as people write it before the steps. Null for other
 * lines, and for one that is too long.
 */
export function readCondition(line: string, isMarked = false): string | null {
  const text = line.trim()
  const stated = withoutEnd(CONDITION.exec(text)?.[1] ?? '', (end) => end === ':' || isSpace(end))
  const isCondition = isMarked || text.endsWith(':') || /^only if:/i.test(text)
  return isCondition && stated !== '' && stated.length <= CONDITION_MAX ? stated : null
}

type TaskDetails = Pick<ImportedActivity, 'priority' | 'idealTitleToExecute' | 'expectedTimeToComplete'>

const PRIORITY_NAMES = { LOW: 'Low', MEDIUM: 'Medium', HIGH: 'High' } as const
const DETAILS =
  /^(?=Priority: |Time: |Role: )(?:Priority: (Low|Medium|High))?(?: ?· )?(?:Time: (\d{1,9}) min)?(?: ?· )?(?:Role: ([^]+))?$/i

/**
 * Priority, time and role of a task as one line of a Markdown file; null when all are defaults. The role
 * stands last because it may contain the separator.
 */
export function detailsLine({
  priority,
  idealTitleToExecute: role,
  expectedTimeToComplete: minutes,
}: TaskDetails): string | null {
  const parts = [
    ...(priority === 'MEDIUM' ? [] : [`Priority: ${PRIORITY_NAMES[priority]}`]),
    ...(minutes === null ? [] : [`Time: ${minutes} min`]),
    ...(role === null ? [] : [`Role: ${role}`]),
  ]
  return parts.length === 0 ? null : parts.join(' · ')
}

/** Parses the output of `detailsLine`; null for any other text. */
export function readDetails(line: string): TaskDetails | null {
  const found = DETAILS.exec(line)
  if (!found) return null
  const [, priority, minutes, role] = found
  return {
    priority: (priority?.toUpperCase() ?? 'MEDIUM') as Priority,
    expectedTimeToComplete: minutes === undefined ? null : Number(minutes),
    idealTitleToExecute: role ?? null,
  }
}

/** Cuts a text at a word to at most `max` characters, with an ellipsis. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const start = cut(text, max - 1)
  const atWord = withoutEnd(start, (character) => !isSpace(character)).trimEnd()
  return `${(atWord.length > max / 2 ? atWord : start).trimEnd()}…`
}

export interface ImportLimits {
  /** Headings and tasks of one playbook, by configuration of the organisation. */
  readonly maxActivities: number
}
/** A reason why an imported playbook cannot be saved. */
export interface ImportExcess {
  /** Position of the heading or task; null for the playbook itself. */
  readonly item: number | null
  readonly field:
    | 'name'
    | 'description'
    | 'activities'
    | 'title'
    | 'condition'
    | 'idealTitleToExecute'
    | 'expectedTimeToComplete'
  readonly message: string
}

const tooLongTime = `Must be between 1 and ${RECOVERY_TIME_MAX} minutes.`
function excessOfItem(activity: ImportedActivity, item: number): ImportExcess[] {
  const {
    title,
    description,
    formattedDescription: html,
    condition,
    idealTitleToExecute: role,
    expectedTimeToComplete: minutes,
  } = activity
  const missing = missingInItem(activity)
  const found = (field: ImportExcess['field'], message: string | undefined | false): ImportExcess[] =>
    message ? [{ item, field, message }] : []
  return [
    ...found('title', missing.title ?? (title.length > SHORT_TEXT_MAX && tooLong(SHORT_TEXT_MAX))),
    ...found(
      'description',
      missing.description ??
        (Math.max(description.length, html?.length ?? 0) > LONG_TEXT_MAX && tooLong(LONG_TEXT_MAX)),
    ),
    ...found('condition', (condition?.length ?? 0) > CONDITION_MAX && tooLong(CONDITION_MAX)),
    ...found('idealTitleToExecute', (role?.length ?? 0) > SHORT_TEXT_MAX && tooLong(SHORT_TEXT_MAX)),
    ...found('expectedTimeToComplete', !isTime(minutes) && tooLongTime),
  ]
}
const isTime = (minutes: number | null): boolean =>
  minutes === null || (minutes >= 1 && minutes <= RECOVERY_TIME_MAX)

/** Everything that the server would refuse in an imported playbook; empty for a valid one. */
export function excessOf(playbook: Content, { maxActivities }: ImportLimits): ImportExcess[] {
  const { name, description, activities } = playbook
  const whole = (field: ImportExcess['field'], message: string | false): ImportExcess[] =>
    message === false ? [] : [{ item: null, field, message }]
  return [
    ...whole('name', isBlank(name) && PLAYBOOK_NAME_REQUIRED),
    ...whole('name', name.length > SHORT_TEXT_MAX && tooLong(SHORT_TEXT_MAX)),
    ...whole('description', description.length > MEDIUM_TEXT_MAX && tooLong(MEDIUM_TEXT_MAX)),
    ...whole('activities', activities.length === 0 && ITEM_REQUIRED),
    ...whole('activities', activities.length > maxActivities && tooManyItems(maxActivities)),
    ...activities.flatMap(excessOfItem),
  ]
}

/** End of a sentence within the length of a title. */
const SENTENCE = new RegExp(`^[^]{1,${SHORT_TEXT_MAX - 1}}?[.!?](?=\\s)`)
/**
 * Shortens a title that is too long to its first sentence, or at a word, and puts the full title before the description,
 * so that nothing is lost.
 */
export function withShortTitle<
  Item extends Pick<ImportedActivity, 'title' | 'description' | 'formattedDescription'>,
>(item: Item): Item {
  const { title, description, formattedDescription: html } = item
  if (title.length <= SHORT_TEXT_MAX) return item
  const isCopy = description === title || description.trim() === ''
  return {
    ...item,
    title: SENTENCE.exec(title)?.[0] ?? cutText(title, SHORT_TEXT_MAX),
    ...(isCopy
      ? { description: title }
      : {
          description: `${title}\n\n${description}`,
          formattedDescription: html === null ? null : `${paragraphsOf(title)}${html}`,
        }),
  }
}

function trimmedItem(activity: ImportedActivity): ImportedActivity[] {
  const { description, title, idealTitleToExecute: role, expectedTimeToComplete: minutes } = activity
  const firstLine = description.trim().split(/\r?\n/, 1)[0]!
  const named = isBlank(title) ? { ...activity, title: firstLine } : activity
  if (isBlank(named.title)) return []
  const filled =
    activity.type === 'TASK' && isBlank(description) ? { ...named, description: named.title } : named
  const short = withShortTitle(filled)
  const isWhole = Math.max(short.description.length, short.formattedDescription?.length ?? 0) <= LONG_TEXT_MAX
  return [
    {
      ...short,
      description: cutText(short.description, LONG_TEXT_MAX),
      // Formatting cannot be cut.
      formattedDescription: isWhole ? short.formattedDescription : null,
      condition: activity.condition === null ? null : cutText(activity.condition, CONDITION_MAX),
      idealTitleToExecute: role === null ? null : cutText(role, SHORT_TEXT_MAX),
      expectedTimeToComplete: isTime(minutes) ? minutes : null,
    },
  ]
}

/**
 * Trims a playbook to the limits: texts end at a word, missing titles and descriptions replace each other,
 * items beyond the maximum are dropped. A missing name or an empty list stays.
 */
export const trimmed = <Playbook extends Content>(
  playbook: Playbook,
  { maxActivities }: ImportLimits,
): Playbook => ({
  ...playbook,
  name: cutText(playbook.name, SHORT_TEXT_MAX),
  description: cutText(playbook.description, MEDIUM_TEXT_MAX),
  activities: playbook.activities.flatMap(trimmedItem).slice(0, maxActivities),
})

/** Divides a text at the end of a paragraph, a sentence or a word, into parts of at most `max` characters. */
function divided(text: string, max: number): string[] {
  const parts: string[] = []
  let rest = text
  while (rest.length > max) {
    const start = cut(rest, max)
    const ends = ['\n', '. ', ' '].map((end) => start.lastIndexOf(end) + end.length)
    const at = ends.find((end) => end > max / 2) ?? start.length
    parts.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at).trimStart()
  }
  return [...parts, rest]
}

const firstLine = (text: string): string => text.trim().split(/\r?\n/, 1)[0]!
const taskWith = (title: string, description: string, line: number | null): ImportedActivity => ({
  type: 'TASK',
  title: cutText(title, SHORT_TEXT_MAX),
  description,
  formattedDescription: null,
  level: 1,
  condition: null,
  priority: 'MEDIUM',
  idealTitleToExecute: null,
  expectedTimeToComplete: null,
  line,
})

/** Lets an introduction that is too long go on in the first task, and in more where it needs them. */
export function withContinuedIntroduction<Playbook extends Content>(
  playbook: Playbook,
  title: string,
): Playbook {
  const { description, activities } = playbook
  if (description.length <= MEDIUM_TEXT_MAX) return playbook
  const [begin] = divided(description, MEDIUM_TEXT_MAX)
  const rest = divided(description.slice(begin!.length).trimStart(), LONG_TEXT_MAX)
  return {
    ...playbook,
    description: begin!,
    activities: [...rest.map((text) => taskWith(title, text, null)), ...activities],
  }
}

/** True for headings with texts and without tasks, of which an incident would get nothing. */
export const hasOnlyTexts = ({ activities }: Pick<Content, 'activities'>): boolean =>
  activities.every(({ type }) => type === 'HEADING') &&
  activities.some(({ description }) => !isBlank(description))
/** Makes a task of the text below each heading. */
export const withTasksFromTexts = <Playbook extends Content>(playbook: Playbook): Playbook => ({
  ...playbook,
  activities: playbook.activities.flatMap((heading) => {
    const { type, description, formattedDescription, line } = heading
    if (type === 'TASK' || isBlank(description)) return [heading]
    return [
      { ...heading, description: '', formattedDescription: null },
      { ...taskWith(firstLine(description), description, line), formattedDescription },
    ]
  }),
})

/** Removes one heading or task. */
export const withoutItem = <Playbook extends Content>(playbook: Playbook, index: number): Playbook => ({
  ...playbook,
  activities: playbook.activities.toSpliced(index, 1),
})

/** Headings with their tasks. Tasks before the first heading form a section without one. */
function sectionsOf(activities: readonly ImportedActivity[]): ImportedActivity[][] {
  const sections: ImportedActivity[][] = []
  for (const activity of activities) {
    const last = sections.at(-1)
    if (!last || activity.type === 'HEADING') sections.push([activity])
    else last.push(activity)
  }
  return sections
}
/** Splits a section of more than `max` items. Each part repeats the heading. */
function piecesOf(section: ImportedActivity[], max: number): ImportedActivity[][] {
  if (section.length <= max) return [section]
  const heading = max > 1 && section[0]?.type === 'HEADING' ? [section[0]] : []
  const tasks = section.slice(heading.length)
  const size = max - heading.length
  return Array.from({ length: Math.ceil(tasks.length / size) }, (_, n) => [
    ...heading,
    ...tasks.slice(n * size, (n + 1) * size),
  ])
}

/**
 * Splits a playbook into several of at most `max` items, at headings where possible: "Name (1 of 3)". Each
 * has the description; the notes stay with the first one.
 */
export function split<Playbook extends Content & { notes?: unknown }>(
  playbook: Playbook,
  max: number,
): Playbook[] {
  if (playbook.activities.length <= max || max < 1) return [playbook]
  const parts: ImportedActivity[][] = []
  for (const section of sectionsOf(playbook.activities).flatMap((one) => piecesOf(one, max))) {
    const last = parts.at(-1)
    if (last && last.length + section.length <= max) last.push(...section)
    else parts.push([...section])
  }
  return parts.map((activities, n) => {
    const suffix = ` (${n + 1} of ${parts.length})`
    return {
      ...playbook,
      name: `${cutText(playbook.name, SHORT_TEXT_MAX - suffix.length)}${suffix}`,
      activities,
      ...(n > 0 && 'notes' in playbook ? { notes: [] } : {}),
    }
  })
}
