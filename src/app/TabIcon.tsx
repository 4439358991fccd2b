import { useEffect } from 'react'

import { useUnread } from '#providers/chat/unread.ts'
import { useNotifications } from '#src/notifications/queries.ts'

const PLAIN = '/icon.svg'
const WITH_DOT = '/icon-dot.svg'

/** The icon of the browser's tab carries a dot while something is unread (foundation §2). */
export function TabIcon() {
  const unread = (useNotifications().data?.unreadCount ?? 0) + useUnread() > 0
  useEffect(() => {
    const link = document.querySelector('link[rel=icon]')
    link?.setAttribute('href', unread ? WITH_DOT : PLAIN)
    return () => link?.setAttribute('href', PLAIN)
  }, [unread])
  return null
}
