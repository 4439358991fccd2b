import { command as words } from '#providers/i18n/command.ts'

const HOUR = 60
const DAY = 24 * HOUR

/** Whole minutes in words of at most two units, such as "2 h 5 min". */
export function minutesInWords(minutes: number): string {
  if (minutes < HOUR) return words.minutes(minutes)
  const [days, hours, rest] = [
    Math.floor(minutes / DAY),
    Math.floor((minutes % DAY) / HOUR),
    Math.round(minutes % HOUR),
  ]
  if (days > 0) return [words.days(days), hours > 0 && words.hours(hours)].filter(Boolean).join(' ')
  return [words.hours(hours), rest > 0 && words.minutes(rest)].filter(Boolean).join(' ')
}
