import { cut } from '#contract/kit/cut.ts'
import {
  type NewActivity,
  SECTION_MAX,
  type Severity,
  START_ACTS,
  type StartAct,
} from '#contract/incidents/schema.ts'
import { escapedText, paragraphsOf } from '#contract/kit/paragraphs.ts'
import { LONG_TEXT_MAX } from '#contract/kit/text.ts'

import { roleKey } from '#contract/incidents/rules.ts'

import {
  type PlaybookActivity,
  type PlaybookContent,
  type PlaybookProposal,
  type PlaybookStart,
  type PlaybookTemplate,
} from './schema.ts'

/** The part of a playbook that the form of an incident needs. */
export type PlaybookForIncident = Pick<
  PlaybookTemplate,
  'id' | 'name' | 'description' | 'activities' | 'attachmentsFolderId' | 'version' | 'start'
>
type Task = Pick<
  NewActivity,
  | 'type'
  | 'title'
  | 'description'
  | 'formattedDescription'
  | 'priority'
  | 'idealTitleToExecute'
  | 'expectedTimeToComplete'
  | 'section'
  | 'sectionDescription'
  | 'formattedSectionDescription'
> & { readonly attachedFileIds?: string[]; readonly playbookItemId: string }

/** Separator of headings that stand below each other. */
const BELOW = ' › '

type Heading = Pick<PlaybookActivity, 'title' | 'description' | 'formattedDescription' | 'level'>
type Section = Pick<Task, 'section' | 'sectionDescription' | 'formattedSectionDescription'>
/**
 * The section of tasks below headings: their titles joined, and the texts of those that begin with it.
 * @param begun number of headings, from the last, without an earlier task below
 */
const sectionOf = (headings: readonly Heading[], begun: number): Section => {
  const described = headings
    .slice(headings.length - begun)
    .filter(({ description }) => description.trim() !== '')
  const text = described.map(({ description }) => description.trim()).join('\n\n')
  const isFormatted = described.some(({ formattedDescription }) => formattedDescription !== null)
  const html = isFormatted
    ? described
        .map(({ description, formattedDescription }) => formattedDescription ?? paragraphsOf(description))
        .join('')
    : ''
  return {
    section: cut(headings.map(({ title }) => title).join(BELOW), SECTION_MAX).trim() || null,
    sectionDescription: cut(text, LONG_TEXT_MAX).trim() || null,
    // Formatting cannot be cut.
    ...(html !== '' &&
      Math.max(text.length, html.length) <= LONG_TEXT_MAX && { formattedSectionDescription: html }),
  }
}

/**
 * The tasks that a playbook gives to an incident, in order. The section of a task is its heading below those of higher
 * levels; headings without a task between them are joined too, so that none is lost. Attached files become copies in
 * the incident.
 * @param wanted ids of the tasks to take; all by default
 */
export function tasksOf(
  { activities }: Pick<PlaybookForIncident, 'activities'>,
  wanted?: ReadonlySet<string>,
): Task[] {
  const tasks: Task[] = []
  let headings: Heading[] = []
  let begun = 0
  let section: Section | undefined
  for (const item of activities.toSorted((a, b) => a.index - b.index)) {
    const { id, type, title, description, formattedDescription, attachedFileIds } = item
    if (type === 'HEADING') {
      const earlier = headings.length - begun
      headings = [...headings.filter(({ level }, n) => n >= earlier || level < item.level), item]
      begun += 1
      section = undefined
      continue
    }
    section ??= sectionOf(headings, begun)
    begun = 0
    if (wanted && !wanted.has(id)) continue
    const { priority, idealTitleToExecute, expectedTimeToComplete } = item
    tasks.push({
      playbookItemId: id,
      type,
      title,
      description,
      ...(formattedDescription !== null && { formattedDescription }),
      priority,
      idealTitleToExecute,
      expectedTimeToComplete,
      ...section,
      ...(attachedFileIds.length > 0 && { attachedFileIds }),
    })
  }
  return tasks
}

/** A heading with a condition, of the tasks that stand below it and below no other condition. */
export interface Condition {
  readonly itemId: string
  readonly title: string
  readonly condition: string
  /** The condition that this one stands below. */
  readonly parentItemId: string | null
  readonly taskIds: readonly string[]
}
/** The conditions of a playbook in order. A heading's condition holds for all headings of lower levels below it. */
export function conditionsOf({ activities }: Pick<PlaybookForIncident, 'activities'>): Condition[] {
  const found: (Condition & { taskIds: string[] })[] = []
  let open: { readonly level: number; readonly condition: (typeof found)[number] }[] = []
  for (const { id, type, title, level, condition } of activities.toSorted((a, b) => a.index - b.index)) {
    const above = open.at(-1)?.condition
    if (type === 'TASK') {
      above?.taskIds.push(id)
      continue
    }
    open = open.filter((one) => one.level < level)
    if (condition === null) continue
    const parentItemId = open.at(-1)?.condition.itemId ?? null
    const one = { itemId: id, title, condition, parentItemId, taskIds: [] }
    found.push(one)
    open = [...open, { level, condition: one }]
  }
  return found
}

/** The ideal titles of a playbook's tasks in order, each once regardless of case. */
export function rolesOf(
  tasks: readonly { readonly idealTitleToExecute?: string | null | undefined }[],
): string[] {
  const titles = new Map<string, string>()
  for (const { idealTitleToExecute: title } of tasks)
    if (title?.trim() && !titles.has(roleKey(title))) titles.set(roleKey(title), title.trim())
  return [...titles.values()]
}

/** Words of a text, folded so that case and accents do not matter. */
const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
/** True when a text has the words of a phrase in a row; the last may be the beginning of a longer word. */
function hasPhrase(text: readonly string[], phrase: readonly string[]): boolean {
  if (phrase.length === 0) return false
  return text.some((_, at) =>
    phrase.every((word, n) =>
      n === phrase.length - 1 ? (text[at + n]?.startsWith(word) ?? false) : text[at + n] === word,
    ),
  )
}

export interface Declared {
  readonly isTabletop: boolean
  readonly severity: Severity
  readonly title: string
}
/**
 * The fit of a playbook for an incident that is declared: 0 where it is not proposed, otherwise the higher the more of
 * its proposal the incident meets. Every part that is not empty has to fit. A word of the title counts most.
 */
export function proposalFit({ kinds, severities, words }: PlaybookProposal, declared: Declared): number {
  const title = wordsIn(declared.title)
  const parts: (readonly [weight: number, length: number, fits: boolean])[] = [
    [4, words.length, words.some((word) => hasPhrase(title, wordsIn(word)))],
    [2, severities.length, severities.includes(declared.severity)],
    [1, kinds.length, kinds.includes(declared.isTabletop ? 'EXERCISE' : 'INCIDENT')],
  ]
  const stated = parts.filter(([, length]) => length > 0)
  return stated.every(([, , fits]) => fits) ? stated.reduce((sum, [weight]) => sum + weight, 0) : 0
}
/** The playbooks that are proposed for an incident, the best fit first. */
export const proposed = <Playbook extends { readonly proposal: PlaybookProposal }>(
  playbooks: readonly Playbook[],
  declared: Declared,
): Playbook[] =>
  playbooks
    .map((playbook) => ({ playbook, fit: proposalFit(playbook.proposal, declared) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .map(({ playbook }) => playbook)

/** The acts at the start that a playbook has. */
export const startActsOf = (start: PlaybookStart): StartAct[] => {
  const has: { readonly [A in StartAct]: boolean } = {
    ROOM: start.createRoom,
    PEOPLE: start.people.length + start.groupIds.length > 0,
    MESSAGE: start.firstMessage.trim() !== '',
    NOTIFICATION: start.notificationTemplateId !== null,
  }
  return START_ACTS.filter((act) => has[act])
}
/** Rights of the person who declares. */
export interface StartRights {
  readonly canOpenRoom: boolean
  readonly canChat: boolean
  readonly canNotify: boolean
}
/** True where somebody may do an act at the start. */
export const canStart = (act: StartAct, { canOpenRoom, canChat, canNotify }: StartRights): boolean =>
  ({ ROOM: canOpenRoom, PEOPLE: true, MESSAGE: canChat, NOTIFICATION: canNotify })[act]

/** A playbook's brief as rich text of an incident: one paragraph per line. */
export const briefOf = ({ description }: Pick<PlaybookForIncident, 'description'>): string =>
  description
    .split(/\r?\n/)
    .map((line) => `<p>${escapedText(line.trimEnd())}</p>`)
    .join('')

/** Fields that are compared, of a playbook and of its headings and tasks. */
const PLAYBOOK_FIELDS = ['name', 'categoryId', 'description', 'proposal', 'start'] as const
const ITEM_FIELDS = [
  'type',
  'title',
  'description',
  'formattedDescription',
  'level',
  'condition',
  'priority',
  'idealTitleToExecute',
  'expectedTimeToComplete',
  'attachedFileIds',
] as const
type PlaybookField = (typeof PLAYBOOK_FIELDS)[number]
type ItemField = (typeof ITEM_FIELDS)[number]

/** A changed field with its old and new value. */
export type FieldDifference<Field extends string = PlaybookField | ItemField> = {
  readonly field: Field
  readonly before: string | number | readonly string[] | null
  readonly after: string | number | readonly string[] | null
}
/** The difference of one heading or task. A changed item may have moved as well. */
export interface ItemDifference {
  readonly kind: 'ADDED' | 'REMOVED' | 'CHANGED' | 'MOVED'
  /** The new item; the old one if it was removed. */
  readonly item: PlaybookActivity
  readonly fields: readonly FieldDifference<ItemField>[]
  /** Old and new position, from 1, if the item moved relative to the others. */
  readonly moved: { readonly from: number; readonly to: number } | null
}
/** The differences between two versions of a playbook. */
export interface PlaybookDifferences {
  readonly fields: readonly FieldDifference<PlaybookField>[]
  /** In the new order; removed items follow their former predecessor. */
  readonly items: readonly ItemDifference[]
}

const comparable = (value: unknown): unknown =>
  Array.isArray(value) ? [...(value as string[])].sort().join() : value

function changedFields<Field extends string>(
  fields: readonly Field[],
  before: { readonly [F in Field]: FieldDifference['before'] },
  after: { readonly [F in Field]: FieldDifference['after'] },
): FieldDifference<Field>[] {
  const isChanged = (field: Field) => comparable(before[field]) !== comparable(after[field])
  return (
    fields
      .filter(isChanged)
      // Another text is a difference by itself, whatever its formatting.
      .filter(
        (field, _, changed) => field !== 'formattedDescription' || !changed.includes('description' as Field),
      )
      .map((field) => ({ field, before: before[field], after: after[field] }))
  )
}

/** The positions of a longest strictly increasing subsequence, in O(n log n). */
function longestIncreasing(values: readonly number[]): Set<number> {
  /** Position of the smallest last value of a subsequence of each length. */
  const ends: number[] = []
  const previous = values.map((value, position) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (values[ends[middle]!]! < value) low = middle + 1
      else high = middle
    }
    ends[low] = position
    return low === 0 ? -1 : ends[low - 1]!
  })
  const kept = new Set<number>()
  for (let position = ends.at(-1) ?? -1; position >= 0; position = previous[position]!) kept.add(position)
  return kept
}

/** Removed items by the id of their remaining predecessor; null for those at the start. */
function removedAfter(before: readonly PlaybookActivity[], remaining: ReadonlySet<string>) {
  const removed = new Map<string | null, PlaybookActivity[]>()
  let last: string | null = null
  for (const item of before) {
    const followers = removed.get(last)
    if (remaining.has(item.id)) last = item.id
    else if (followers) followers.push(item)
    else removed.set(last, [item])
  }
  return removed
}

/** The parts of a proposal as texts, in a fixed order. */
export const proposalTexts = ({ kinds, severities, words }: PlaybookProposal): string[] => [
  ...kinds.toSorted(),
  ...severities.toSorted(),
  ...words.toSorted(),
]
/** The parts of a start as texts, in a fixed order. */
export const startTexts = (start: PlaybookStart): string[] => [
  ...(start.createRoom ? ['ROOM'] : []),
  ...start.people.toSorted(),
  ...start.groupIds.toSorted(),
  ...(start.firstMessage === '' ? [] : [start.firstMessage]),
  ...(start.notificationTemplateId === null ? [] : [start.notificationTemplateId]),
]
const comparableContent = ({ name, categoryId, description, proposal, start }: PlaybookContent) => ({
  name,
  categoryId,
  description,
  proposal: proposalTexts(proposal),
  start: startTexts(start),
})

const inOrder = ({ activities }: PlaybookContent) => activities.toSorted((a, b) => a.index - b.index)

/**
 * Compares two versions of a playbook, with headings and tasks matched by id. Items that keep their relative
 * order count as not moved, so that moving one item is a single difference.
 */
export function differencesBetween(before: PlaybookContent, after: PlaybookContent): PlaybookDifferences {
  const [former, current] = [inOrder(before), inOrder(after)]
  const places = new Map(former.map(({ id }, place) => [id, place]))
  const remaining = current.filter(({ id }) => places.has(id))
  const steady = longestIncreasing(remaining.map(({ id }) => places.get(id)!))
  const moved = new Set(remaining.filter((_, position) => !steady.has(position)).map(({ id }) => id))
  const removed = removedAfter(former, new Set(remaining.map(({ id }) => id)))
  const removedFrom = (id: string | null): ItemDifference[] =>
    (removed.get(id) ?? []).map((item) => ({ kind: 'REMOVED', item, fields: [], moved: null }))

  const differenceOf = (item: PlaybookActivity, place: number): ItemDifference[] => {
    const from = places.get(item.id)
    if (from === undefined) return [{ kind: 'ADDED', item, fields: [], moved: null }]
    const fields = changedFields(ITEM_FIELDS, former[from]!, item)
    const move = moved.has(item.id) ? { from: from + 1, to: place + 1 } : null
    if (fields.length === 0 && !move) return []
    return [{ kind: fields.length > 0 ? 'CHANGED' : 'MOVED', item, fields, moved: move }]
  }
  return {
    fields: changedFields(PLAYBOOK_FIELDS, comparableContent(before), comparableContent(after)),
    items: [
      ...removedFrom(null),
      ...current.flatMap((item, place) => [...differenceOf(item, place), ...removedFrom(item.id)]),
    ],
  }
}
