import { useEffect } from 'react'

import { useUnread } from '#providers/chat/unread.ts'
import { useNotifications } from '#src/notifications/queries.ts'

import withDot from './icon-dot.svg?inline'

const PLAIN = '/icon.svg'

/** The icon of the browser's tab carries a dot while something is unread (foundation §2). It comes with the page. */
export function TabIcon() {
  const unread = (useNotifications().data?.unreadCount ?? 0) + useUnread() > 0
  useEffect(() => {
    const link = document.querySelector('link[rel=icon]')
    link?.setAttribute('href', unread ? withDot : PLAIN)
    return () => link?.setAttribute('href', PLAIN)
  }, [unread])
  return null
}
