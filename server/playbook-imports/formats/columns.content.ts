import { type Priority, RECOVERY_TIME_MAX } from '#contract/incidents/schema.ts'
import type { ImportColumn } from '#contract/playbook-imports/schema.ts'

/**
 * Headings of columns, in lower case: our own, and those of Jira, Notion, Trello, Asana and Planner. The first names of a
 * column come before the others, where a table has several.
 */
const NAMES: { readonly [column in ImportColumn]: readonly string[] } = {
  title: ['title', 'summary', 'issue summary', 'card name', 'task name', 'name', 'task', 'step', 'subject', 'titel', 'aufgabe'],
  description: ['description', 'card description', 'notes', 'details', 'content', 'body', 'beschreibung', 'notizen'],
  priority: ['priority', 'prio', 'urgency', 'priorität'],
  role: ['role', 'assignee role', 'ideal title', 'ideal title or role', 'responsible role', 'rolle'],
  minutes: ['minutes', 'expected time', 'duration', 'estimate', 'time estimate', 'estimated time', 'original estimate', 'time', 'due', 'dauer', 'minuten'],
  heading: ['heading', 'section', 'section/column', 'column', 'list name', 'list', 'bucket name', 'bucket', 'phase', 'abschnitt'],
  labels: ['labels', 'label', 'tags', 'tag', 'multi-select'],
  type: ['type', 'typ'],
  playbook: ['playbook', 'board name', 'board', 'project name'],
  category: ['category', 'kategorie'],
} // prettier-ignore
/** Columns of which a table may have several. */
const MANY: ReadonlySet<ImportColumn> = new Set(['labels'])

const folded = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, ' ')
/** The columns that headings name; null for the others. */
export function columnsOf(headings: readonly string[]): (ImportColumn | null)[] {
  const names = headings.map(folded)
  const found = headings.map((): ImportColumn | null => null)
  for (const [column, known] of Object.entries(NAMES) as [ImportColumn, readonly string[]][]) {
    const places = known.flatMap((name) => names.flatMap((one, place) => (one === name ? [place] : [])))
    for (const place of MANY.has(column) ? places : places.slice(0, 1)) found[place] = column
  }
  return found
}
/** True for a heading whose numbers are seconds, as Jira writes them. */
export const isInSeconds = (heading: string): boolean => folded(heading) === 'original estimate'

const PRIORITIES: { readonly [priority in Priority]: readonly string[] } = {
  HIGH: ['high', 'highest', 'urgent', 'critical', 'blocker', 'important', 'p0', 'p1', '1', 'hoch', 'höchste', 'dringend'],
  MEDIUM: ['medium', 'normal', 'major', 'moderate', 'p2', '2', 'mittel'],
  LOW: ['low', 'lowest', 'minor', 'trivial', 'p3', 'p4', 'p5', '3', '4', '5', 'niedrig', 'gering'],
} // prettier-ignore
/** The priority that a word of a tracker stands for; undefined for another word. */
export function priorityOf(text: string): Priority | undefined {
  const word = text.trim().toLowerCase()
  return (Object.keys(PRIORITIES) as Priority[]).find((priority) => PRIORITIES[priority].includes(word))
}

/** Minutes of each unit. A day is one of the calendar: a crisis has no working hours. */
const UNITS: readonly (readonly [names: string, minutes: number])[] = [
  ['w|weeks?|wochen?', 10_080],
  ['d|days?|tage?', 1_440],
  ['h|hrs?|hours?|std|stunden?', 60],
  ['m|mins?|minutes?|minuten?', 1],
]
const PART = `(\\d{1,6}(?:[.,]\\d{1,2})?)\\s*(${UNITS.map(([names]) => names).join('|')})\\b\\.?`
const PARTS = new RegExp(`^(?:${PART}\\s*)+$`, 'i')
const ISO = /^P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:\d{1,6}S)?)?$/i
const CLOCK = /^(\d{1,4}):([0-5]\d)(?::[0-5]\d)?$/
const HOURS_AND_MINUTES = /^(\d{1,4})\s*h(?:ours?)?\s*(\d{1,2})$/i

function minutesIn(text: string): number | undefined {
  const iso = text.length > 1 ? ISO.exec(text) : null
  if (iso && iso.slice(1).some(Boolean)) {
    const [weeks, days, hours, minutes] = iso.slice(1).map((part) => Number(part ?? 0))
    return weeks! * 10_080 + days! * 1_440 + hours! * 60 + minutes!
  }
  const short = CLOCK.exec(text) ?? HOURS_AND_MINUTES.exec(text)
  if (short) return Number(short[1]) * 60 + Number(short[2])
  if (!PARTS.test(text)) return undefined
  let sum = 0
  for (const [, amount, unit] of text.matchAll(new RegExp(PART, 'gi'))) {
    const [, minutes] = UNITS.find(([names]) => new RegExp(`^(?:${names})$`, 'i').test(unit!))!
    sum += Number(amount!.replace(',', '.')) * minutes
  }
  return sum
}
/** Whole minutes of `30`, `30 min`, `1h`, `2 h 30`, `1d`, `0:45` or `PT30M`; undefined for anything else. */
export function minutesOf(cell: string, inSeconds: boolean): number | undefined {
  const text = cell.trim()
  const number = /^\d{1,9}$/.test(text) ? Number(text) / (inSeconds ? 60 : 1) : undefined
  const minutes = Math.round(number ?? minutesIn(text) ?? 0)
  return minutes >= 1 && minutes <= RECOVERY_TIME_MAX ? minutes : undefined
}
