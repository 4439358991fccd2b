import { useEffect } from 'react'

import { useUnread } from '#providers/chat/unread.ts'
import { useNotifications } from '#src/notifications/queries.ts'

import withDot from './icon-dot.svg?inline'

/** The browser tab's icon, with a dot while something is unread (foundation §2). Both icons load with the page. */
export function TabIcon() {
  const unread = (useNotifications().data?.unreadCount ?? 0) + useUnread() > 0
  useEffect(() => {
    const link = document.querySelector('link[rel=icon]')
    const plain = link?.getAttribute('href')
    if (!link || !plain || !unread) return undefined
    link.setAttribute('href', withDot)
    return () => link.setAttribute('href', plain)
  }, [unread])
  return null
}
