/** Digits, with one separator between all groups of three or none. */
const WHOLE = /^(?:\d+|\d{1,3}([ ,.'’\u00a0\u202f])\d{3}(?:\1\d{3})*)$/

/** The whole number that somebody typed, such as `1500`, `1,500` or `1 500`; NaN for anything else. */
export function wholeNumber(typed: string): number {
  const bare = typed.trim()
  return WHOLE.test(bare) ? Number(bare.replace(/\D/g, '')) : Number.NaN
}
