import { useCallback } from 'react'

/** Pixels at the foot of the page that a docked panel takes: what else stands there keeps above it. */
const PROPERTY = '--docked-height'
/** Pixels between the panel and what stands above it. */
const GAP = 8

/** Publishes the height of a docked panel for as long as it is shown. Returns the panel's `ref`. */
export const useDockedHeight = () =>
  useCallback((panel: HTMLElement | null) => {
    if (!panel || typeof ResizeObserver === 'undefined') return undefined
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty(PROPERTY, `${panel.offsetHeight + GAP}px`))
    observer.observe(panel)
    return () => {
      observer.disconnect()
      style.removeProperty(PROPERTY)
    }
  }, [])
