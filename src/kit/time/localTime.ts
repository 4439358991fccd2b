/** A moment as the browser's own field for one writes it: in the time of this place, to the minute; empty for none. */
export function localTime(at: string | null | undefined): string {
  const moment = Date.parse(at ?? '')
  if (Number.isNaN(moment)) return ''
  return new Date(moment - new Date(moment).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The moment that such a field holds; null for none. */
export function momentOf(local: string): string | null {
  const moment = new Date(local)
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}
