import { useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

type Measure = () => () => void
const measures = new WeakMap<Element, Measure>()

/**
 * One shared observer: it fires after layout and before paint, so measuring costs no extra layout and nothing jumps.
 * All elements are measured before any is updated.
 */
let observer: ResizeObserver | undefined
const observe = (element: Element, measure: Measure): (() => void) => {
  observer ??= new ResizeObserver((entries) => {
    const tell = entries.map(({ target }) => measures.get(target)?.())
    flushSync(() => {
      for (const one of tell) one?.()
    })
  })
  measures.set(element, measure)
  observer.observe(element)
  return () => {
    measures.delete(element)
    observer?.unobserve(element)
  }
}

interface Options {
  /** False skips measuring elements that cannot overflow. */
  readonly watched: boolean
  /** True while the text is open and cannot be measured. */
  readonly open: boolean
}

/** True if an element's content is clipped. */
export function useOverflow(element: HTMLElement | null, { watched, open }: Options): boolean {
  const [overflows, setOverflows] = useState(false)
  useLayoutEffect(() => {
    if (!element || !watched || open) return undefined
    return observe(element, () => {
      const more = element.scrollHeight > element.clientHeight + 1
      return () => setOverflows(more)
    })
  }, [element, watched, open])
  return watched && overflows
}
