import { useLayoutEffect, useState } from 'react'

/**
 * Whether an element holds more than it shows; with `height`, whether its content is higher than that. Once it is
 * opened it still counts, so that it can be closed again.
 */
export function useOverflow(element: HTMLElement | null, watched: boolean, height?: number): boolean {
  const [overflows, setOverflows] = useState(false)
  useLayoutEffect(() => {
    if (!element || !watched) return undefined
    const measure = () => {
      // What is open shows everything: nothing can be told of it.
      if (height === undefined && getComputedStyle(element).overflow !== 'hidden') return
      setOverflows(element.scrollHeight > (height ?? element.clientHeight) + 1)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [element, watched, height])
  return watched && overflows
}
