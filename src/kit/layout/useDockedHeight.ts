import { useCallback } from 'react'

/** CSS variable with the height in pixels of a docked panel, so that other content at the bottom stays above it. */
const PROPERTY = '--docked-height'
/** Pixels between the panel and the content above it. */
const GAP = 8

const heights = new Map<HTMLElement, number>()
function publish(): void {
  const { style } = document.documentElement
  if (heights.size === 0) style.removeProperty(PROPERTY)
  else style.setProperty(PROPERTY, `${Math.max(...heights.values()) + GAP}px`)
}

/**
 * Publishes the height of a mounted docked panel, of the highest where there are several. Returns the panel's `ref`.
 * @param below pixels of another panel below it
 */
export const useDockedHeight = (below = 0) =>
  useCallback(
    (panel: HTMLElement | null) => {
      if (!panel || typeof ResizeObserver === 'undefined') return undefined
      const observer = new ResizeObserver(() => {
        heights.set(panel, panel.offsetHeight + below)
        publish()
      })
      observer.observe(panel)
      return () => {
        observer.disconnect()
        heights.delete(panel)
        publish()
      }
    },
    [below],
  )
