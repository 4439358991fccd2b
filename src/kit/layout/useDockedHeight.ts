import { useCallback } from 'react'

/** CSS variable with the height in pixels of a docked panel, so that other content at the bottom stays above it. */
const PROPERTY = '--docked-height'
/** Pixels between the panel and the content above it. */
const GAP = 8

/** Publishes the height of a mounted docked panel. Returns the panel's `ref`. */
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
