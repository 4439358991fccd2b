import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'

import { takeJustBegun } from '#providers/session.ts'

/** Scrolls and focuses the start of a new page, for eyes and for screen readers, unless a field took the focus. */
export function useStartOfPage() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const kind = useNavigationType()
  const shown = useRef(pathname)
  // The sign-in form that had the focus is gone, so screen readers are moved to the page.
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
