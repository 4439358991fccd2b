import { DAY_MS } from '#contract/kit/time.ts'
import { TEST_MARK } from '#contract/mass-notifications/rules.ts'
import { QUESTION_SETS } from '#contract/notification-questions/rules.ts'

import type { Readiness } from './schema.ts'

/** Lines of the board, gravest first. */
export const LINES = [
  'BOUNCED',
  'NO_NUMBER',
  'NUMBER_UNPROVED',
  'NEVER_SIGNED_IN',
  'NO_SECOND_FACTOR',
  'TEST',
  'EXERCISE',
  'PLAYBOOKS',
] as const
export type LineName = (typeof LINES)[number]
/** A line of the board. Without a total its count is the days since something, null for never. */
export interface Line {
  readonly name: LineName
  readonly count: number | null
  readonly total: number | null
  /** True for what somebody has to mend. */
  readonly isToMend: boolean
}

const daysSince = (at: string | null, now: number): number | null =>
  at === null ? null : Math.max(0, Math.floor((now - Date.parse(at)) / DAY_MS))
const of = (name: LineName, count: number, total: number): Line => ({
  name,
  count,
  total,
  isToMend: count > 0,
})
const since = (name: LineName, days: number | null, limit: number): Line => ({
  name,
  count: days,
  total: null,
  isToMend: days === null || days > limit,
})

/** The lines of the board, gravest first; those without a meaning in this organisation are left out. */
export function linesOf(board: Readiness): Line[] {
  const now = Date.parse(board.timestamp)
  const { people, playbooks } = board
  const tested = since('TEST', daysSince(board.lastTestTimestamp, now), board.proofDays)
  return [
    of('BOUNCED', board.bounced, people),
    of('NO_NUMBER', board.withoutNumber, people),
    ...(board.numbers > 0 ? [of('NUMBER_UNPROVED', board.numbersUnproved, board.numbers)] : []),
    of('NEVER_SIGNED_IN', board.neverSignedIn, people),
    ...(board.secondFactor === 'TOTP' ? [of('NO_SECOND_FACTOR', board.withoutSecondFactor, people)] : []),
    ...(board.canTest ? [{ ...tested, isToMend: tested.isToMend || board.testProblem !== null }] : []),
    since('EXERCISE', daysSince(board.lastExerciseTimestamp, now), board.exerciseDays),
    ...(playbooks ? [of('PLAYBOOKS', playbooks.due, playbooks.count)] : []),
  ]
}

/** Number of lines to mend. */
export const countToMend = (board: Readiness): number =>
  linesOf(board).filter(({ isToMend }) => isToMend).length

/** The words of a communication test, in the form of a new notification. */
export function testWords(organisation: string, smsLimit: number) {
  const short = `${TEST_MARK}: nothing has happened. Please answer.`
  return {
    title: `${TEST_MARK}: communication test of ${organisation}`,
    emailMessage: `${TEST_MARK}: this is a communication test of ${organisation}. Nothing has happened.\n\nPlease answer, so that we know that our messages reach you.`,
    smsMessage: short.length <= smsLimit ? short : TEST_MARK.slice(0, smsLimit),
    level: 'LOW' as const,
    question: QUESTION_SETS.find(({ id }) => id === 'READ')!.question,
  }
}

const HOURS = { from: 9, until: 17 } as const
const MINUTES = (HOURS.until - HOURS.from) * 60

/** Formats by time zone, which are costly to make. */
const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: timeZone || 'UTC',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  })
  formats.set(timeZone, made)
  return made
}

/** Fields of a moment in a time zone; an empty zone is UTC. */
function zonedFields(at: number, timeZone: string) {
  const format = formatOf(timeZone)
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const field = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  return {
    year: field('year'),
    month: field('month'),
    day: field('day'),
    hour: field('hour'),
    minute: field('minute'),
  }
}

/** The moment of a local time; one that a change of the clock skips is an hour later. */
function momentOf(year: number, month: number, day: number, minutes: number, timeZone: string): number {
  const wanted = Date.UTC(year, month - 1, day, 0, minutes)
  const localOf = (at: number) => {
    const { year: y, month: m, day: d, hour, minute } = zonedFields(at, timeZone)
    return Date.UTC(y, m - 1, d, hour, minute)
  }
  // The second round is needed where the clock changes between the first guess and the moment.
  const guess = wanted - (localOf(wanted) - wanted)
  return guess - (localOf(guess) - wanted)
}

const isWorkday = (year: number, month: number, day: number): boolean =>
  ![0, 6].includes(new Date(Date.UTC(year, month - 1, day)).getUTCDay())

/** Working days of a month from a day on. */
const workdaysFrom = (year: number, month: number, first: number): number[] =>
  Array.from({ length: new Date(Date.UTC(year, month, 0)).getUTCDate() }, (_, n) => n + 1).filter(
    (day) => day >= first && isWorkday(year, month, day),
  )

/** True in working hours: Monday to Friday, 9 to 17. */
export function isWorkingTime(at: number, timeZone: string): boolean {
  const { year, month, day, hour } = zonedFields(at, timeZone)
  return isWorkday(year, month, day) && hour >= HOURS.from && hour < HOURS.until
}

/** Working days that have to be left in a month, so that its moment cannot be guessed. */
const DAYS_LEFT = 5
/** Random numbers from 0 up to, and without, a limit. */
export type RandomBelow = (limit: number) => number

/**
 * A moment of the working hours that cannot be foreseen: in the rest of this month from tomorrow on where enough working
 * days are left and the month is still without a test, otherwise in the next month.
 */
export function nextTestMoment(
  now: number,
  timeZone: string,
  { random, thisMonth }: { readonly random: RandomBelow; readonly thisMonth: boolean },
): number {
  const { year, month, day } = zonedFields(now, timeZone)
  const rest = thisMonth ? workdaysFrom(year, month, day + 1) : []
  const isThis = rest.length >= DAYS_LEFT
  const [inYear, inMonth] = isThis ? [year, month] : month === 12 ? [year + 1, 1] : [year, month + 1]
  const days = isThis ? rest : workdaysFrom(inYear, inMonth, 1)
  return momentOf(inYear, inMonth, days[random(days.length)]!, HOURS.from * 60 + random(MINUTES), timeZone)
}

/** A moment of the next working day, for a test whose own moment passed while nothing ran. */
export function nextWorkingMoment(now: number, timeZone: string, random: RandomBelow): number {
  const { year, month, day } = zonedFields(now, timeZone)
  for (let ahead = 1; ; ahead += 1) {
    const next = new Date(Date.UTC(year, month - 1, day + ahead))
    const [y, m, d] = [next.getUTCFullYear(), next.getUTCMonth() + 1, next.getUTCDate()]
    if (isWorkday(y, m, d)) return momentOf(y, m, d, HOURS.from * 60 + random(MINUTES), timeZone)
  }
}

/** The month of a moment, such as 2026-12. */
export function monthOf(at: number, timeZone: string): string {
  const { year, month } = zonedFields(at, timeZone)
  return `${year}-${String(month).padStart(2, '0')}`
}
