import { useEffect, useEffectEvent, useState } from 'react'

import { SECOND } from '#src/kit/time/clock.ts'

/** Closes a dialog one second after success, so that its confirmation is seen (administration §4). */
export function useClosing(onClose: () => void) {
  const [isDone, setDone] = useState(false)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!isDone) return undefined
    const timer = setTimeout(() => close(), SECOND)
    return () => clearTimeout(timer)
  }, [isDone])
  return { isDone, done: () => setDone(true) }
}
