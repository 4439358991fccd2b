import { useLocaleState } from 'ra-core'

import { MINUTE, useNow } from './clock.ts'
import { exactTime, relativeTime, shortTime } from './formats.ts'
import { useText } from './useText.ts'

const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

interface Props {
  /** An ISO timestamp. */
  at: string
  /** Always the exact time with its zone, as reports want it. */
  absolute?: boolean
}

function Relative({ at, locale }: { at: number; locale: string }) {
  const text = useText()
  const passed = useNow(MINUTE) - at
  const distance = Math.abs(passed)
  if (distance >= DAY) return shortTime(locale, at)
  if (distance < MINUTE) return text('kit.justNow')
  const [unit, size] = distance < HOUR ? (['minute', MINUTE] as const) : (['hour', HOUR] as const)
  return relativeTime(locale, -Math.trunc(passed / size), unit)
}

/** A moment: relative up to a day with the exact time on hover, then absolute. */
export function Time({ at, absolute = false }: Props) {
  const [locale] = useLocaleState()
  const moment = Date.parse(at)
  const exact = exactTime(locale, moment)
  return (
    <time dateTime={at} title={exact}>
      {absolute ? exact : <Relative at={moment} locale={locale} />}
    </time>
  )
}
