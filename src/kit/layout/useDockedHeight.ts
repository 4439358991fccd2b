import { useCallback } from 'react'

/** CSS variable with the height in pixels of a docked panel, so that other content at the bottom stays above it. */
const PROPERTY = '--docked-height'
/** Pixels between the panel and the content above it. */
const GAP = 8
/** Pixels at the bottom of the window in which a panel is in the way: one that is further up ends its page. */
const ZONE = 160
/** Height of the bar at the bottom of a phone, which panels stand on, and widths of windows that keep it free. */
const BAR = 56
const BAR_BELOW = 900

const panels = new Set<HTMLElement>()
/** Pixels from the foot of the window up to the upper edge of a panel; 0 for one that is out of the way. */
function heightOf(panel: HTMLElement): number {
  const { top, bottom } = panel.getBoundingClientRect()
  const isInTheWay = bottom > window.innerHeight - ZONE && top < window.innerHeight && bottom > top
  return isInTheWay ? window.innerHeight - top - (window.innerWidth < BAR_BELOW ? BAR : 0) : 0
}
/** Publishes the height of the docked panels as they stand now: sticky ones move as the page scrolls. */
export function measureDocked(): void {
  const { style } = document.documentElement
  const height = Math.max(0, ...[...panels].map(heightOf))
  if (height === 0) style.removeProperty(PROPERTY)
  else style.setProperty(PROPERTY, `${height + GAP}px`)
}

/** Publishes the height of a mounted docked panel, of the highest where there are several. Returns the panel's `ref`. */
export const useDockedHeight = () =>
  useCallback((panel: HTMLElement | null) => {
    if (!panel || typeof ResizeObserver === 'undefined') return undefined
    const observer = new ResizeObserver(measureDocked)
    panels.add(panel)
    observer.observe(panel)
    return () => {
      observer.disconnect()
      panels.delete(panel)
      measureDocked()
    }
  }, [])
