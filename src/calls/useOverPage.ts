import { type RefObject, useEffect } from 'react'

/** What a window that covers the page hides; messages and calls that ring stay above it. */
const COVERED = 'header, nav, :has(> main)'

/**
 * Gives the focus to a window when it opens, and back when it closes. While the window covers the page, nothing below it can
 * be reached.
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
