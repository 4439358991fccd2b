import { wholeNumber } from '#contract/kit/numbers.ts'
import { MINUTES_IN } from '#contract/incidents/rules.ts'
import { RECOVERY_TIME_MAX, type TimeUnit } from '#contract/incidents/schema.ts'

/** Typed time; an empty amount means none. */
export interface TypedTime {
  readonly amount: string
  readonly unit: TimeUnit
}

/** Minutes in the largest unit that divides them. */
export function typedTime(minutes: number | null): TypedTime {
  if (minutes === null) return { amount: '', unit: 'MINUTES' }
  const unit = (['DAYS', 'HOURS'] as const).find((one) => minutes % MINUTES_IN[one] === 0) ?? 'MINUTES'
  return { amount: String(minutes / MINUTES_IN[unit]), unit }
}

const CLOCK = /^(\d{1,4}):([0-5]\d)$/
const AMOUNT_AND_UNIT = /^(\d{1,6}(?:[.,]\d{1,2})?) ?([a-z]+)\.?$/
const NEXT = /(?<=[a-z]\.?) ?(?=\d)/
const INITIALS: { readonly [initial: string]: TimeUnit } = { m: 'MINUTES', h: 'HOURS', d: 'DAYS' }
const WORDS = /^(?:m|mins?|minutes?|h|hrs?|hours?|d|days?)$/

/** Minutes of a part such as `1.5 h`; NaN for anything else. */
function minutesOfPart(part: string): number {
  const [, amount, word] = AMOUNT_AND_UNIT.exec(part) ?? []
  if (amount === undefined || word === undefined || !WORDS.test(word)) return Number.NaN
  return Number(amount.replace(',', '.')) * MINUTES_IN[INITIALS[word[0]!]!]
}

/** The time with an amount that names its units, such as `1h 30m`, `90 min` or `1:30`, in one unit. */
export function readTime(time: TypedTime): TypedTime {
  const written = time.amount.trim().toLowerCase()
  const [, hours, rest] = CLOCK.exec(written) ?? []
  const minutes =
    hours === undefined
      ? written.split(NEXT).reduce((sum, part) => sum + minutesOfPart(part), 0)
      : Number(hours) * MINUTES_IN.HOURS + Number(rest)
  return Number.isInteger(minutes) && minutes > 0 ? typedTime(minutes) : time
}

/** The typed whole number; null when empty, NaN when invalid. */
export function amountOf({ amount }: TypedTime): number | null {
  if (amount.trim() === '') return null
  const value = wholeNumber(amount)
  return value >= 1 && value <= RECOVERY_TIME_MAX ? value : Number.NaN
}

/** The typed time in minutes; null when empty, NaN when invalid or beyond the limit. */
export function minutesOf(typed: TypedTime): number | null {
  const time = readTime(typed)
  const amount = amountOf(time)
  const minutes = amount === null ? null : amount * MINUTES_IN[time.unit]
  return minutes !== null && minutes > RECOVERY_TIME_MAX ? Number.NaN : minutes
}
