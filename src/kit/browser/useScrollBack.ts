import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'

/** The page, or a part of it that scrolls by itself. */
export interface Scroller {
  /** Calls back with each position. Returns a function that unsubscribes. */
  readonly watch: (note: (top: number) => void) => (() => void) | undefined
  readonly scrollTo: (top: number) => void
}
const PAGE: Scroller = {
  watch: (note) => {
    const listener = () => note(window.scrollY)
    window.addEventListener('scroll', listener, { passive: true })
    return () => window.removeEventListener('scroll', listener)
  },
  scrollTo: (top) => window.scrollTo(0, top),
}

/** Scroll positions by scroller and history entry. */
const positions = new Map<string, number>()

/**
 * Restores the scroll position of a history entry that somebody comes back to, once the content has loaded: the browser
 * itself tries too early, and knows nothing of parts of the page.
 * @param ready true once the earlier content is on the page again
 * @param name names a part of the page, with a stable `scroller`
 */
export function useScrollBack(ready: boolean, name = 'page', scroller = PAGE): void {
  const { key } = useLocation()
  const kind = useNavigationType()
  const entry = `${name} ${key}`
  const arrival = useRef({ entry: '', isBack: false })
  // Before the entry is watched: rows that change notify of positions of their own.
  useLayoutEffect(() => {
    if (arrival.current.entry !== entry)
      arrival.current = { entry, isBack: kind === NavigationType.Pop && positions.has(entry) }
    if (!ready || !arrival.current.isBack) return
    arrival.current = { entry, isBack: false }
    const top = positions.get(entry)!
    // Waits for the measured rows, which move the content below.
    requestAnimationFrame(() => scroller.scrollTo(top))
  }, [ready, entry, kind, scroller])
  useEffect(() => scroller.watch((top) => positions.set(entry, top)), [entry, scroller])
}
