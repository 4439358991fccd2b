import { useEffect } from 'react'

import { lockout as texts } from '#providers/i18n/second-factor.ts'
import { Countdown, useSecondsUntil } from '#src/kit/time/Countdown.tsx'

/** Counts a lockout down. It is told when it begins and when it is over, not in between. */
export function Lockout({ until, onOver }: { until: number; onOver: () => void }) {
  const over = useSecondsUntil(until) === 0
  useEffect(() => {
    if (over) onOver()
  })
  return (
    <p className="plain-note" data-tone={over ? 'ready' : 'error'} role="alert">
      {over ? texts.over : <Countdown until={until} text={texts.wait} />}
    </p>
  )
}
