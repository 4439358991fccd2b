import { type RefObject, useLayoutEffect, useState } from 'react'

/** Less than this is left of a phone's screen while its keyboard is open. */
const KEYBOARD = 0.75
/** Between the end of other pages and the bar at the bottom. */
const SPACE = 16

/**
 * The height in pixels from an element's top to the bottom of what is visible: above the phone's keyboard while that is
 * open, otherwise above what stands at the bottom of the page.
 */
export function useFilledHeight(ref: RefObject<HTMLElement | null>): number | undefined {
  const [height, setHeight] = useState<number>()
  useLayoutEffect(() => {
    const measure = () => {
      const element = ref.current
      if (!element) return
      const visible = window.visualViewport?.height ?? window.innerHeight
      const hasKeyboard = visible < screen.height * KEYBOARD && matchMedia('(pointer: coarse)').matches
      const padding = Number.parseFloat(getComputedStyle(element.parentElement!).paddingBottom) || 0
      const below = Math.max(0, padding - SPACE)
      const top = element.getBoundingClientRect().top + window.scrollY
      setHeight(Math.max(240, Math.floor(visible - top - (hasKeyboard ? 0 : below))))
    }
    measure()
    // The header above is higher while an incident is active.
    const observer = new ResizeObserver(measure)
    const header = document.querySelector('header')
    if (header) observer.observe(header)
    window.addEventListener('resize', measure)
    window.visualViewport?.addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', measure)
      window.visualViewport?.removeEventListener('resize', measure)
    }
  }, [ref])
  return height
}
