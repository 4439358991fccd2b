const namesOf = new Map<string, Intl.DisplayNames>()

/** The name of a country: Canada for CA. Unknown codes are returned unchanged. */
export function countryName(locale: string, code: string): string {
  const names = namesOf.get(locale) ?? new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })
  namesOf.set(locale, names)
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code
}
