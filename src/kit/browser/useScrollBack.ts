import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'

/** Where each entry of the history was scrolled to when it was left. */
const positions = new Map<string, number>()

/**
 * Scrolls back to where a page was left, once its content has loaded: the browser itself tries it before that.
 * @param ready whether what was on the page is on it again
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
    // After the rows were measured, which moves what is below them.
    requestAnimationFrame(() => window.scrollTo(0, position))
  }, [ready, key])
}
