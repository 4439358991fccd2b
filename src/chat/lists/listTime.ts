import { clockTime, once, regional } from '#src/kit/time/formats.ts'

const DAY = 86_400_000
const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0)
/** Nights back to which a time is a weekday, so that no weekday means two days. */
const WEEK = 6
const DATE = { day: 'numeric', month: 'short' } as const

/** A time in a list: the time of day today, the weekday within the last days, the date before. */
export function listTime(locale: string, at: number, now: number): string {
  const nights = Math.round((startOfDay(now) - startOfDay(at)) / DAY)
  if (nights <= 0) return clockTime(locale, at)
  if (nights <= WEEK)
    return once(`weekday ${locale}`, () => new Intl.DateTimeFormat(locale, { weekday: 'short' })).format(at)
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  const options = isThisYear ? DATE : ({ ...DATE, year: 'numeric' } as const)
  return once(
    `date ${isThisYear} ${locale}`,
    () => new Intl.DateTimeFormat(regional(locale), options),
  ).format(at)
}
