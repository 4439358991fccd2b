import { LONG_TEXT_MAX, MEDIUM_TEXT_MAX, SHORT_TEXT_MAX, tooLong } from '#contract/kit/text.ts'
import type { ImportedActivity, ImportedPlaybook } from '#contract/playbook-imports/schema.ts'
import { tooManyItems } from '#contract/playbooks/schema.ts'

/** What exceeds a limit, and where. */
export interface Excess {
  /** Of the heading or task; null for the playbook itself. */
  readonly index: number | null
  readonly field: 'name' | 'description' | 'title' | 'idealTitleToExecute' | 'activities'
  readonly message: string
}

const ITEM_LIMITS = {
  title: SHORT_TEXT_MAX,
  description: LONG_TEXT_MAX,
  idealTitleToExecute: SHORT_TEXT_MAX,
} as const
const ITEM_FIELDS = ['title', 'description', 'idealTitleToExecute'] as const

/** What of a playbook exceeds the limits of texts and the number of headings and tasks. */
export function excessOf(playbook: ImportedPlaybook, limits: { readonly items: number }): Excess[] {
  const { name, description, activities } = playbook
  const own: Excess[] = []
  const add = (field: Excess['field'], message: string) => own.push({ index: null, field, message })
  if (name.length > SHORT_TEXT_MAX) add('name', tooLong(SHORT_TEXT_MAX))
  if (description.length > MEDIUM_TEXT_MAX) add('description', tooLong(MEDIUM_TEXT_MAX))
  if (activities.length > limits.items) add('activities', tooManyItems(limits.items))
  const ofItems = activities.flatMap((item, index) =>
    ITEM_FIELDS.filter((field) => (item[field] ?? '').length > ITEM_LIMITS[field]).map((field) => ({
      index,
      field,
      message: tooLong(ITEM_LIMITS[field]),
    })),
  )
  return [...own, ...ofItems]
}

/** The beginning of a text, without half of a character at its end. */
const cut = (text: string, max: number) =>
  text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')

const trimmedItem = (item: ImportedActivity): ImportedActivity => ({
  ...item,
  title: cut(item.title, SHORT_TEXT_MAX),
  description: cut(item.description, LONG_TEXT_MAX),
  idealTitleToExecute:
    item.idealTitleToExecute === null ? null : cut(item.idealTitleToExecute, SHORT_TEXT_MAX),
})
/** The playbook with each text cut to its limit. */
export const trimmed = (playbook: ImportedPlaybook): ImportedPlaybook => ({
  ...playbook,
  name: cut(playbook.name, SHORT_TEXT_MAX),
  description: cut(playbook.description, MEDIUM_TEXT_MAX),
  activities: playbook.activities.map(trimmedItem),
})

/** The playbook in parts of at most `max` headings and tasks; a part begins with a heading where one is near. */
export function split(playbook: ImportedPlaybook, max: number): ImportedPlaybook[] {
  const { activities } = playbook
  const parts: ImportedActivity[][] = []
  for (let from = 0; from < activities.length;) {
    const rest = activities.slice(from, from + max)
    const heading = rest.findLastIndex(({ type }, index) => type === 'HEADING' && index > max / 2)
    const isLast = from + max >= activities.length
    const size = isLast || heading < 0 ? rest.length : heading
    parts.push(rest.slice(0, size))
    from += size
  }
  return parts.map((part, index) => {
    const suffix = ` (${index + 1}/${parts.length})`
    return {
      ...playbook,
      name: cut(playbook.name, SHORT_TEXT_MAX - suffix.length) + suffix,
      activities: part,
      notes: index === 0 ? playbook.notes : [],
    }
  })
}

/** The playbook without one heading or task. */
export const withoutItem = (playbook: ImportedPlaybook, index: number): ImportedPlaybook => ({
  ...playbook,
  activities: playbook.activities.toSpliced(index, 1),
})
