import { type TouchEvent, useEffect, useRef } from 'react'

/** Milliseconds of touch that open a menu. */
const LONG_PRESS_MS = 500

/** Calls back on a long press, unless the browser itself fires `contextmenu` for it. */
export function useLongPress(onPress: (target: HTMLElement, at: { left: number; top: number }) => void) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const stop = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    onTouchStart: ({ currentTarget, touches }: TouchEvent<HTMLElement>) => {
      const finger = touches[0]
      stop()
      if (!finger || touches.length > 1) return
      const at = { left: finger.clientX, top: finger.clientY }
      timer.current = setTimeout(() => onPress(currentTarget, at), LONG_PRESS_MS)
    },
    onTouchMove: stop,
    onTouchEnd: stop,
    onTouchCancel: stop,
    stop,
  }
}
