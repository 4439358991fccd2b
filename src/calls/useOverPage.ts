import { type RefObject, useEffect } from 'react'

/** Elements that a full-page window hides; messages and ringing calls stay above it. */
const COVERED = 'header, nav, :has(> main)'

/**
 * Focuses a window when it opens, and restores the focus when it closes. While the window covers the page,
 * everything below it is inert.
 */
export function useOverPage(root: RefObject<HTMLElement | null>, isOver: boolean): void {
  useEffect(() => {
    const before = document.activeElement
    const element = root.current
    element?.focus({ preventScroll: true })
    return () => {
      const isLost = document.activeElement === document.body || element?.contains(document.activeElement)
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [root])
  useEffect(() => {
    if (!isOver) return undefined
    const covered = [...(root.current?.parentElement?.children ?? [])].filter(
      (sibling): sibling is HTMLElement => sibling instanceof HTMLElement && sibling.matches(COVERED),
    )
    for (const sibling of covered) sibling.inert = true
    if (!root.current?.contains(document.activeElement)) root.current?.focus({ preventScroll: true })
    return () => {
      for (const sibling of covered) sibling.inert = false
    }
  }, [root, isOver])
}
