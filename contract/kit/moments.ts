/** Order of day, month and year in a region's numbers, such as 28/11/2026. */
export type DateOrder = 'DMY' | 'MDY' | 'YMD'

export interface DateHabits {
  readonly order: DateOrder
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Time of a date and time that is typed without its time; without it such a text is not read. */
  readonly dayMeans?: 'start' | 'end'
}

interface Day {
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
}
interface Clock {
  readonly hour: number
  readonly minute: number
}

/** Characters of a longer text are no date. */
const TYPED_MAX = 100
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH_NAMES =
  'january february march april may june july august september october november december'.split(' ')
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
/** Letters from which the beginning of a weekday's name is one, such as in Thur. */
const WEEKDAY_MIN = 3

const ZONED = /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(z|[+-]\d\d:?\d\d)$/
const OFFSET = / (?:utc|gmt)([+-]\d{1,2})?(?::?(\d\d))?$/
const LETTERS = / ([a-z]{2,5})$/
const COLONS = /(?:^|[ t])(\d{1,2})[:h](\d\d)(?::\d\d(?:\.\d{1,9})?)? ?(am|pm)?$/
const DOTTED = / (\d{1,2})\.(\d\d) ?(am|pm)?$/
const HOUR_ONLY = /(?:^|[ t])(\d{1,2}) ?(am|pm)$/
const COMPACT = /^(\d{4})(\d\d)(\d\d)$/
const NUMBERS = /^(\d{1,4})(?:([./-]) ?(\d{1,2}))(?:\2 ?(\d{1,4}))?\.?$/

const two = (value: number) => String(value).padStart(2, '0')
const localDay = ({ year, month, day }: Day) => `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
const localMoment = (at: Date) => `${localDay(dayOf(at))}T${two(at.getHours())}:${two(at.getMinutes())}`
const dayOf = (at: Date): Day => ({ year: at.getFullYear(), month: at.getMonth() + 1, day: at.getDate() })

/** A day that exists, in a year of four digits; two digits are of this century. */
function existing({ year, month, day }: Day): Day | null {
  const whole = year < 100 ? year + 2_000 : year
  const at = new Date(whole, month - 1, day)
  const isSame = at.getFullYear() === whole && at.getMonth() === month - 1 && at.getDate() === day
  return isSame && whole >= 1_000 && whole <= 9_999 ? { year: whole, month, day } : null
}

/** A day in numbers, such as 28.11.2026, 28/11 or 2026-11-28. One that does not exist in the region's order is tried in the other. */
function numericDay(typed: string, { order, now }: DateHabits): Day | null {
  const compact = COMPACT.exec(typed)
  if (compact)
    return existing({ year: Number(compact[1]), month: Number(compact[2]), day: Number(compact[3]) })
  const found = NUMBERS.exec(typed)
  if (!found) return null
  const [first, second] = [Number(found[1]), Number(found[3])]
  const third = found[4] === undefined ? undefined : Number(found[4])
  if (found[1]!.length > 2)
    return third === undefined ? null : existing({ year: first, month: second, day: third })
  if (order === 'YMD' && third !== undefined && found[4]!.length <= 2)
    return existing({ year: first, month: second, day: third })
  const year = third ?? new Date(now).getFullYear()
  const dayFirst = existing({ year, month: second, day: first })
  const monthFirst = existing({ year, month: first, day: second })
  return order === 'DMY' ? (dayFirst ?? monthFirst) : (monthFirst ?? dayFirst)
}

const monthOf = (word: string): number => {
  const full = MONTH_NAMES.indexOf(word)
  return full >= 0 ? full : MONTHS.indexOf(word === 'sept' ? 'sep' : word)
}
const weekdayOf = (word: string): number =>
  word.length < WEEKDAY_MIN ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(word))

/** A day with the name of its month, such as 28 Nov 2026 or Saturday, November 28th. */
function namedDay(words: readonly string[], now: number): Day | null {
  const month = words.findIndex((word) => monthOf(word) >= 0)
  const numbers = words
    .filter((_, n) => n !== month)
    .map((word) => word.replace(/(?<=\d)(?:st|nd|rd|th)$/, ''))
  const [first = '', second = String(new Date(now).getFullYear()), ...rest] = numbers
  if (month < 0 || rest.length > 0 || ![first, second].every((one) => /^\d{1,4}$/.test(one))) return null
  const [day, year] = first.length > 2 ? [second, first] : [first, second]
  return existing({ year: Number(year), month: monthOf(words[month]!) + 1, day: Number(day) })
}

/** The next day with that name, today excluded. */
function nextWeekday(weekday: number, now: number): Day {
  const at = new Date(now)
  at.setDate(at.getDate() + (((weekday - at.getDay() + 6) % 7) + 1))
  return dayOf(at)
}

const DAYS_FROM_TODAY: { readonly [word: string]: number } = { today: 0, tomorrow: 1, yesterday: -1 }

function readDay(typed: string, habits: DateHabits): Day | null {
  const { now } = habits
  const distance = Object.hasOwn(DAYS_FROM_TODAY, typed) ? DAYS_FROM_TODAY[typed] : undefined
  if (distance !== undefined) {
    const at = new Date(now)
    at.setDate(at.getDate() + distance)
    return dayOf(at)
  }
  const words = typed.split(/[\s,./-]+/).filter((word) => word !== '')
  const weekday = words[0] === undefined ? -1 : weekdayOf(words[0])
  if (weekday >= 0 && words.length === 1) return nextWeekday(weekday, now)
  const bare = weekday >= 0 ? typed.slice(words[0]!.length).replace(/^[\s,.]+/, '') : typed
  return numericDay(bare, habits) ?? namedDay(weekday >= 0 ? words.slice(1) : words, now)
}

/** A text without blanks and commas at its end. */
function withoutSeparators(typed: string): string {
  let { length } = typed
  while (length > 0 && ' ,'.includes(typed[length - 1]!)) length -= 1
  return typed.slice(0, length)
}

/** The time at the end of a text, and the text before it. */
function splitClock(typed: string): { before: string; clock: Clock } | null {
  const found = COLONS.exec(typed) ?? DOTTED.exec(typed)
  const bare = found ? null : HOUR_ONLY.exec(typed)
  const at = found ?? bare
  if (!at) return null
  const half = found ? found[3] : bare![2]
  const hour = Number(at[1])
  const minute = found ? Number(found[2]) : 0
  if (minute > 59 || (half ? hour < 1 || hour > 12 : hour > 23)) return null
  const before = withoutSeparators(withoutSeparators(typed.slice(0, at.index)).replace(/ at$/, ''))
  const whole = half ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour
  return { before, clock: { hour: whole, minute } }
}

/** The name of this zone at a moment, in lower case, such as cet. */
const zoneName = (at: Date): string | undefined =>
  new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')
    ?.value.toLowerCase()

/** A text with a zone at its end: the text before it, and its offset in minutes; null for this zone. */
function splitZone(typed: string): { before: string; offset: number | null } | null {
  const offset = OFFSET.exec(typed)
  if (offset) {
    const hours = Number(offset[1] ?? 0)
    const minutes = Number(offset[2] ?? 0)
    if (Math.abs(hours) > 14 || minutes > 59) return null
    const sign = offset[1]?.startsWith('-') ? -1 : 1
    return { before: typed.slice(0, offset.index), offset: hours * 60 + sign * minutes }
  }
  const named = LETTERS.exec(typed)
  if (!named || ['am', 'pm'].includes(named[1]!)) return null
  return { before: typed.slice(0, named.index), offset: null }
}

function momentAt({ year, month, day }: Day, { hour, minute }: Clock, offset: number | null): string {
  const local = new Date(year, month - 1, day, hour, minute)
  if (offset === null) return localMoment(local)
  return localMoment(new Date(Date.UTC(year, month - 1, day, hour, minute) - offset * 60_000))
}

function readClocked(typed: string, offset: number | null, habits: DateHabits): string | null {
  const split = splitClock(typed)
  if (!split) return null
  const day = split.before === '' ? dayOf(new Date(habits.now)) : readDay(split.before, habits)
  return day && momentAt(day, split.clock, offset)
}

/** The match of an ISO 8601 time with its zone, in this zone. */
function isoMoment([, day, clock, zone]: RegExpExecArray, habits: DateHabits): string | null {
  const offset = zone!.replace(/(\d\d)(\d\d)$/, '$1:$2').toUpperCase()
  const at = new Date(`${day}T${clock}${offset}`)
  return Number.isNaN(at.getTime()) || !readDate(day!, habits) ? null : localMoment(at)
}

/** Lower case with plain spaces, and `pm` for p.m. */
const plainText = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(/[\u200e\u200f]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/\b([ap])\.m\.?$/, '$1m')

/**
 * The date that somebody typed or pasted, as 2026-11-28; null for anything else. Of a text with a time it is the day.
 * The zone is that of the browser.
 */
export function readDate(typed: string, habits: DateHabits): string | null {
  if (typed.length > TYPED_MAX) return null
  const text = plainText(typed)
  const day = readDay(text, habits)
  return day ? localDay(day) : (readMoment(typed, habits)?.slice(0, 10) ?? null)
}

/**
 * The date and time that somebody typed or pasted, as 2026-11-28T14:05 in the browser's zone, to the minute; null for
 * anything else. A time alone is today's; a text that names its zone is converted.
 */
export function readMoment(typed: string, habits: DateHabits): string | null {
  if (typed.length > TYPED_MAX) return null
  const text = plainText(typed)
  if (text === 'now') return localMoment(new Date(habits.now))
  const iso = ZONED.exec(text)
  if (iso) return isoMoment(iso, habits)
  const plain = readClocked(text, null, habits)
  if (plain) return plain
  const split = splitZone(text)
  const withZone = split && readClocked(split.before, split.offset, habits)
  if (withZone) {
    const isKnown =
      split.offset !== null || zoneName(new Date(withZone)) === text.slice(split.before.length + 1)
    return isKnown ? withZone : null
  }
  const { dayMeans } = habits
  const day = dayMeans ? readDay(text, habits) : null
  return day && `${localDay(day)}T${dayMeans === 'end' ? '23:59' : '00:00'}`
}
