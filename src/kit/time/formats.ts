const made = new Map<string, unknown>()
/** Caches formats, which are costly to create and used in long lists. */
export function once<T>(key: string, make: () => T): T {
  if (!made.has(key)) made.set(key, make())
  return made.get(key) as T
}

/**
 * The interface's language with the formats of the person's region: English in Germany writes 18 Nov 2026, 07:35. The
 * region is that of the browser's first language, for German without one that of Germany.
 */
export const regional = (language: string): string =>
  once(`region of ${navigator.language} for ${language}`, () => {
    const { region } = new Intl.Locale(navigator.language).maximize()
    return region === undefined ? language : `${new Intl.Locale(language).language}-${region}`
  })
/** A cached format in the person's region. */
function inRegion<T>(kind: string, language: string, make: (locale: string) => T): T {
  const locale = regional(language)
  return once(`${kind} ${locale}`, () => make(locale))
}

const DAY_AND_HOUR = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
const MOMENT = { ...DAY_AND_HOUR, year: 'numeric' } as const

/** Date and time with zone: 12 Mar 2026, 14:05 CET. */
export const exactTime = (locale: string, at: Date | number): string =>
  inRegion(
    'exact',
    locale,
    (region) => new Intl.DateTimeFormat(region, { ...MOMENT, timeZoneName: 'short' }),
  ).format(at)

/** Date and time without zone, for narrow places. */
export const shortTime = (locale: string, at: Date | number): string =>
  inRegion('short', locale, (region) => new Intl.DateTimeFormat(region, MOMENT)).format(at)

/** Date and time for narrow columns: without the current year, and broken only between date and time. */
export function narrowTime(locale: string, at: number, now: number): string {
  const year = new Date(at).getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' as const }
  const parts = inRegion(
    `narrow ${'year' in year}`,
    locale,
    (region) =>
      new Intl.DateTimeFormat(region, {
        ...DAY_AND_HOUR,
        ...year,
      }),
  ).formatToParts(at)
  const hour = parts.findIndex(({ type }) => type === 'hour')
  return parts.map(({ value }, n) => (n === hour - 1 ? value : value.replace(/\s/g, '\u00a0'))).join('')
}

/** The time of day: 14:05. */
export const clockTime = (locale: string, at: Date | number): string =>
  inRegion(
    'clock',
    locale,
    (region) => new Intl.DateTimeFormat(region, { hour: '2-digit', minute: '2-digit' }),
  ).format(at)

/** The date in this browser's zone, without the current year: Dec 1. */
export function shortDay(locale: string, at: number, now: number): string {
  const year = new Date(at).getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' as const }
  return inRegion(
    `short day ${'year' in year}`,
    locale,
    (region) => new Intl.DateTimeFormat(region, { month: 'short', day: 'numeric', ...year }),
  ).format(at)
}

/** A calendar date, independent of the time zone: December 1, 2024. */
export const longDate = (locale: string, at: Date | number): string =>
  inRegion(
    'day',
    locale,
    (region) => new Intl.DateTimeFormat(region, { dateStyle: 'long', timeZone: 'UTC' }),
  ).format(at)

/** The date in this browser's zone: Thursday, December 1, 2024. */
export const localDay = (locale: string, at: Date | number): string =>
  inRegion('local day', locale, (region) => new Intl.DateTimeFormat(region, { dateStyle: 'full' })).format(at)

/** A relative time: 5 minutes ago, or 5 min. ago in narrow places. */
export const relativeTime = (
  locale: string,
  value: number,
  unit: 'minute' | 'hour',
  style: 'long' | 'short' = 'long',
): string =>
  once(
    `relative ${style} ${locale}`,
    () => new Intl.RelativeTimeFormat(locale, { numeric: 'always', style }),
  ).format(value, unit)

// Creating the first format costs 20 ms, and most counts are small.
const needsNoFormat = (locale: string, value: number) =>
  locale.startsWith('en') && Number.isInteger(value) && value >= 0 && value < 1_000

export const formatNumber = (locale: string, value: number): string =>
  needsNoFormat(locale, value)
    ? String(value)
    : inRegion('number', locale, (region) => new Intl.NumberFormat(region)).format(value)
