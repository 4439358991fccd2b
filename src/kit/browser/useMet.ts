import { type RefObject, useEffect, useState } from 'react'

/** True once an element has been in view, or nearly. */
export function useMet(element: RefObject<Element | null>): boolean {
  const [isMet, setMet] = useState(() => typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    if (isMet || !element.current) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setMet(true)
      },
      { rootMargin: '100px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isMet])
  return isMet
}
