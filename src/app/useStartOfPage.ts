import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'

import { takeJustBegun } from '#providers/session.ts'

/** On another page reading begins at its start, for eyes and for screen readers, unless a field took the focus. */
export function useStartOfPage() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const kind = useNavigationType()
  const shown = useRef(pathname)
  // The form that had the focus is gone: a screen reader hears of the page that took its place.
  useEffect(() => {
    if (takeJustBegun()) main.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (kind !== NavigationType.Pop) window.scrollTo(0, 0)
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
  }, [pathname, kind])
  return main
}
