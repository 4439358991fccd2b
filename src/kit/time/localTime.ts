/** A time as a field of date and time holds it: local, to the minute; empty for none. */
export function localTime(at: string | null | undefined): string {
  const moment = Date.parse(at ?? '')
  if (Number.isNaN(moment)) return ''
  return new Date(moment - new Date(moment).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/
const DATE = /^\d{4}-\d\d-\d\d$/
const exists = (local: string) => !Number.isNaN(new Date(local).getTime())
/** True for a time as `localTime` writes it. */
export const isLocalTime = (local: string): boolean => LOCAL.test(local) && exists(local)
/** True for a day such as 2026-11-28. */
export const isDate = (date: string): boolean => DATE.test(date) && exists(date)

/** The time of a field, as `localTime` writes it, in milliseconds; NaN for any other text. */
export const localMs = (local: string): number =>
  isLocalTime(local) ? new Date(local).getTime() : Number.NaN
/** The time of a field as ISO timestamp; null for none, and for a text that is no time. */
export const momentOf = (local: string): string | null =>
  isLocalTime(local) ? new Date(local).toISOString() : null
