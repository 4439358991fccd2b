import { useEffect, useEffectEvent } from 'react'

import type { IncomingCall } from '#contract/calls/schema.ts'
import { canNotify, useAlertChoice } from '#providers/chat/alerts.ts'
import { useIsActiveTab } from '#providers/tabs.ts'

import { startRinging } from './ringTone.ts'

/** Shows a call as the browser's own notification. The returned function closes it. */
function notifyOf(call: IncomingCall, title: string, open: () => void): () => void {
  try {
    const shown = new Notification(title, {
      body: call.isDirect ? '' : call.title,
      // The tag merges the notifications of several pages of one browser.
      tag: call.callId,
      requireInteraction: true,
    })
    shown.addEventListener('click', () => {
      window.focus()
      open()
      shown.close()
    })
    return () => shown.close()
  } catch {
    // Mobile browsers support notifications of service workers only.
    return () => undefined
  }
}

interface Words {
  readonly title: (call: IncomingCall) => string
  readonly open: (call: IncomingCall) => void
}
/**
 * Rings for incoming calls, and shows notifications while the page is hidden: in one tab of a browser, and
 * once only during another call.
 */
export function useRinging(incoming: readonly IncomingCall[], isInCall: boolean, words: Words): void {
  const isActive = useIsActiveTab()
  const { notifications } = useAlertChoice()
  const latest = useEffectEvent(() => words)
  const last = incoming[0]
  const callId = last?.callId
  useEffect(() => {
    if (callId === undefined || !isActive) return undefined
    return startRinging({ isOnce: isInCall })
  }, [callId, isActive, isInCall])
  const notify = useEffectEvent(() => {
    if (!last || document.hasFocus()) return undefined
    return notifyOf(last, latest().title(last), () => latest().open(last))
  })
  useEffect(() => {
    if (callId === undefined || !notifications || !canNotify()) return undefined
    return Notification.permission === 'granted' ? notify() : undefined
  }, [callId, notifications])
}
