import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'

/** Scroll position of each left history entry. */
const positions = new Map<string, number>()

/**
 * Restores the scroll position once the content has loaded: the browser itself tries too early.
 * @param ready true once the earlier content is on the page again
 */
export function useScrollBack(ready: boolean): void {
  const { key } = useLocation()
  const kind = useNavigationType()
  const isBack = useRef(kind === NavigationType.Pop)
  useEffect(() => {
    const note = () => positions.set(key, window.scrollY)
    window.addEventListener('scroll', note, { passive: true })
    return () => window.removeEventListener('scroll', note)
  }, [key])
  useLayoutEffect(() => {
    const position = positions.get(key)
    if (!ready || !isBack.current || position === undefined) return
    isBack.current = false
    // Waits for the measured rows, which move the content below.
    requestAnimationFrame(() => window.scrollTo(0, position))
  }, [ready, key])
}
