const made = new Map<string, Intl.DisplayNames>()

/** What a country is called: Canada for CA. What is no country stays as it is. */
export function countryName(locale: string, code: string): string {
  const names = made.get(locale) ?? new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })
  made.set(locale, names)
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code
}
