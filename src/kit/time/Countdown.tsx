import { useCallback, useSyncExternalStore } from 'react'

import { serverNow } from '#providers/serverClock.ts'

const SECOND = 1_000

/** Whole seconds until a time of the server's clock; 0 once it has passed. */
export const secondsUntil = (until: number): number => Math.max(0, Math.ceil((until - serverNow()) / SECOND))

const plural = (count: number) => (count === 1 ? '' : 's')

/**
 * Formats a duration: `%m` and `%s` are minutes and seconds, `%mp` and `%sp` the plural ending of each
 * (foundation §8 "Lockouts"), `%t` both as on a clock.
 */
export function countdownText(template: string, seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60]
  const words: Readonly<Record<string, string>> = {
    m: String(minutes),
    mp: plural(minutes),
    s: String(rest),
    sp: plural(rest),
    t: `${minutes}:${String(rest).padStart(2, '0')}`,
  }
  return template.replace(/%(mp|sp|m|s|t)/g, (_, name: string) => words[name]!)
}

/** Seconds until a time of the server's clock; re-renders each second until zero. */
export function useSecondsUntil(until: number): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const plan = () => {
        const left = until - serverNow()
        if (left <= 0) return
        // Aligned to the change of seconds, so that none is shown twice or skipped.
        timer = setTimeout(
          () => {
            listener()
            plan()
          },
          left % SECOND || SECOND,
        )
      }
      plan()
      return () => clearTimeout(timer)
    },
    [until],
  )
  return useSyncExternalStore(subscribe, () => secondsUntil(until))
}

/** A visible countdown. Screen readers can read it, but it is not announced each second. */
export function Countdown({ until, text }: { until: number; text: string }) {
  return (
    <span role="timer" aria-live="off">
      {countdownText(text, useSecondsUntil(until))}
    </span>
  )
}
