import { useLocaleState } from 'react-admin'

import { HALF_MINUTE, MINUTE, useNow } from './clock.ts'
import { clockTime, exactTime, narrowTime, relativeTime, shortDay, shortTime } from './formats.ts'
import { useText } from '../useText.ts'

const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

interface Props {
  /** An ISO timestamp. */
  at: string
  /** Always shows the exact time with its zone, for reports. */
  absolute?: boolean
  /** Abbreviates, for narrow columns. */
  short?: boolean
  /** Leaves the hour out of a date. */
  day?: boolean
  /** Puts the hour before the relative time, for logs. */
  clock?: boolean
}

interface RelativeProps {
  at: number
  locale: string
  short: boolean
  day: boolean
  clock: boolean
}

function Relative({ at, locale, short, day, clock }: RelativeProps) {
  const text = useText()
  const now = useNow(HALF_MINUTE)
  const passed = now - at
  const distance = Math.abs(passed)
  if (distance >= DAY && day) return shortDay(locale, at, now)
  if (distance >= DAY) return short ? narrowTime(locale, at, now) : shortTime(locale, at)
  const hour = clock ? `${clockTime(locale, at)} · ` : ''
  if (distance < MINUTE) return `${hour}${text('kit.justNow')}`
  const [unit, size] = distance < HOUR ? (['minute', MINUTE] as const) : (['hour', HOUR] as const)
  return `${hour}${relativeTime(locale, -Math.trunc(passed / size), unit, short ? 'short' : 'long')}`
}

/** A time: relative up to a day with the exact time on hover, then absolute. */
export function Time({ at, absolute = false, short = false, day = false, clock = false }: Props) {
  const [locale] = useLocaleState()
  const moment = Date.parse(at)
  const exact = exactTime(locale, moment)
  return (
    <time dateTime={at} title={exact}>
      {absolute ? (
        exact
      ) : (
        <Relative at={moment} locale={locale} short={short || clock} day={day} clock={clock} />
      )}
    </time>
  )
}
