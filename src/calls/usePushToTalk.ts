import { useEffect, useEffectEvent, useRef } from 'react'

import { calls } from '#providers/calls/calls.ts'

/** Elements that use Space themselves. The button of the microphone is not among them. */
const OWN_SPACE =
  'input, textarea, select, a, summary, [contenteditable], [role=textbox], [role=grid], [role=menu], [role=listbox], [role=switch], button:not([data-talk])'

/**
 * Talks while Space is held: the microphone is on until the key is let go, or until the page is left with the key down.
 * @param isMuted true while the microphone is off, and can be turned on
 */
export function usePushToTalk(isMuted: boolean): void {
  const isHeld = useRef(false)
  const stop = useEffectEvent(() => {
    if (!isHeld.current) return
    isHeld.current = false
    void calls.setAudio(false)
  })
  const down = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== ' ' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    // A key that is held repeats itself.
    if (isHeld.current) return event.preventDefault()
    const usesSpace = event.target instanceof Element && event.target.closest(OWN_SPACE) !== null
    if (!isMuted || event.repeat || usesSpace) return
    event.preventDefault()
    isHeld.current = true
    void calls.setAudio(true)
  })
  const up = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== ' ' || !isHeld.current) return
    event.preventDefault()
    stop()
  })
  useEffect(() => {
    const [onDown, onUp, onStop] = [
      (event: KeyboardEvent) => down(event),
      (event: KeyboardEvent) => up(event),
      () => stop(),
    ]
    window.addEventListener('keydown', onDown)
    window.addEventListener('keyup', onUp)
    window.addEventListener('blur', onStop)
    document.addEventListener('visibilitychange', onStop)
    return () => {
      onStop()
      window.removeEventListener('keydown', onDown)
      window.removeEventListener('keyup', onUp)
      window.removeEventListener('blur', onStop)
      document.removeEventListener('visibilitychange', onStop)
    }
  }, [])
}
