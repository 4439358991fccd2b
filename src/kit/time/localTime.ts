/** A time in the format of a `datetime-local` field: local, to the minute; empty for none. */
export function localTime(at: string | null | undefined): string {
  const moment = Date.parse(at ?? '')
  if (Number.isNaN(moment)) return ''
  return new Date(moment - new Date(moment).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The time of a `datetime-local` field as ISO timestamp; null for none. */
export function momentOf(local: string): string | null {
  const moment = new Date(local)
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}
