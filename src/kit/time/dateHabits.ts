import type { DateHabits, DateOrder } from '#contract/kit/moments.ts'

import { once, regional } from './formats.ts'

const LETTERS: { readonly [type: string]: string } = { day: 'D', month: 'M', year: 'Y' }

/** The order of day, month and year in the person's region. */
const orderIn = (language: string): DateOrder => {
  const locale = regional(language)
  return once(`order ${locale}`, () => {
    const parts = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'numeric', year: 'numeric' })
    const order = parts.formatToParts(0).map(({ type }) => LETTERS[type] ?? '')
    const joined = order.join('')
    return joined === 'MDY' || joined === 'YMD' ? joined : 'DMY'
  })
}

/** The ways in which a person of the browser's region writes dates, for `readDate` and `readMoment`. */
export const dateHabits = (language: string, now: number): DateHabits => ({ order: orderIn(language), now })

/** A cached format in the person's region. */
const formatOf = (language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const locale = regional(language)
  return once(`${JSON.stringify(options)} ${locale}`, () => new Intl.DateTimeFormat(locale, options))
}

/** The date in this browser's zone for a field: 1 Dec 2024. */
export const shortDate = (language: string, at: Date): string =>
  formatOf(language, { dateStyle: 'medium' }).format(at)

/** Date and time in this browser's zone, in words: Thursday, 1 December 2024 at 14:05. */
export const fullMoment = (language: string, at: Date): string =>
  formatOf(language, { dateStyle: 'full', timeStyle: 'short' }).format(at)
