import { type RefObject, useLayoutEffect, useState } from 'react'

/** Fraction of a phone's screen below which its keyboard is open. */
const KEYBOARD = 0.75
/** Attribute of the document while a chat is written with a phone's keyboard, which leaves room for one bar only. */
const KEYBOARD_OPEN = 'data-keyboard-open'
/** Pixels between the content and the bar at the bottom. */
const SPACE = 16

/**
 * Pixels from an element's top to the bottom of the visible area: the phone's keyboard while open, otherwise
 * the bar at the bottom. The bars of the application are gone while the keyboard is open.
 */
export function useFilledHeight(ref: RefObject<HTMLElement | null>): number | undefined {
  const [height, setHeight] = useState<number>()
  useLayoutEffect(() => {
    const measure = () => {
      const element = ref.current
      if (!element) return
      const visible = window.visualViewport?.height ?? window.innerHeight
      const hasKeyboard = visible < screen.height * KEYBOARD && matchMedia('(pointer: coarse)').matches
      document.documentElement.toggleAttribute(KEYBOARD_OPEN, hasKeyboard)
      const padding = Number.parseFloat(getComputedStyle(element.parentElement!).paddingBottom) || 0
      const below = Math.max(0, padding - SPACE)
      const top = element.getBoundingClientRect().top + window.scrollY
      setHeight(Math.max(240, Math.floor(visible - top - (hasKeyboard ? 0 : below))))
    }
    measure()
    // The header is higher while an incident is active.
    const observer = new ResizeObserver(measure)
    const header = document.querySelector('header')
    if (header) observer.observe(header)
    window.addEventListener('resize', measure)
    window.visualViewport?.addEventListener('resize', measure)
    return () => {
      document.documentElement.removeAttribute(KEYBOARD_OPEN)
      observer.disconnect()
      window.removeEventListener('resize', measure)
      window.visualViewport?.removeEventListener('resize', measure)
    }
  }, [ref])
  return height
}
