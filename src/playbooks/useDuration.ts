import { useLocaleState } from 'react-admin'

import { MINUTES_IN } from '#contract/incidents/rules.ts'
import type { TimeUnit } from '#contract/incidents/schema.ts'

type Style = 'long' | 'short' | 'narrow'
const UNITS = { DAYS: 'day', HOURS: 'hour', MINUTES: 'minute' } as const

const formats = new Map<string, Intl.NumberFormat>()
function format(locale: string, value: number, unit: TimeUnit, style: Style): string {
  const key = `${locale} ${unit} ${style}`
  const known =
    formats.get(key) ??
    new Intl.NumberFormat(locale, { style: 'unit', unit: UNITS[unit], unitDisplay: style })
  formats.set(key, known)
  return known.format(value)
}

/** Formats minutes in their two largest units: 2 hours 30 minutes. */
function spelled(locale: string, minutes: number, style: Style): string {
  let rest = Math.max(0, Math.floor(minutes))
  const parts: string[] = []
  for (const unit of ['DAYS', 'HOURS', 'MINUTES'] as const) {
    const value = Math.floor(rest / MINUTES_IN[unit])
    rest -= value * MINUTES_IN[unit]
    if (value > 0) parts.push(format(locale, value, unit, style))
    else if (parts.length > 0) break
  }
  return parts.slice(0, 2).join(' ') || format(locale, 0, 'MINUTES', style)
}

/** Formats durations: minutes, or a number with its unit, kept as entered. */
export function useDuration() {
  const [locale] = useLocaleState()
  return {
    ofMinutes: (minutes: number, style: Style = 'long') => spelled(locale, minutes, style),
    of: (value: number, unit: TimeUnit) => format(locale, value, unit, 'long'),
  }
}
