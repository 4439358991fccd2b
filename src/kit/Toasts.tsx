import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { type NotificationPayload, useNotificationContext, useTranslate } from 'ra-core'
import { type ReactNode, useEffect, useState } from 'react'

import { useText } from './useText.ts'

const SHOWN_MS = 3_000
const EDGE = { success: 'success.main', info: 'primary.main', warning: 'warning.main', error: 'error.main' }

interface ToastProps {
  toast: NotificationPayload
  onDone: () => void
}

function useMessage({ message, notificationOptions }: NotificationPayload): ReactNode {
  const translate = useTranslate()
  return typeof message === 'string' ? translate(message, notificationOptions?.messageArgs) : message
}

function Toast({ toast, onDone }: ToastProps) {
  const text = useText()
  const [held, setHeld] = useState(false)
  const shownFor = toast.notificationOptions?.autoHideDuration
  useEffect(() => {
    if (held || shownFor === null) return undefined
    const timer = setTimeout(onDone, shownFor ?? SHOWN_MS)
    return () => clearTimeout(timer)
  }, [held, shownFor, onDone])
  const hold = { onMouseEnter: () => setHeld(true), onMouseLeave: () => setHeld(false) }
  return (
    <Box
      {...hold}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        minWidth: 240,
        maxWidth: 'min(480px, calc(100vw - 32px))',
        pl: 2,
        pr: 0.5,
        py: 0.5,
        borderRadius: 1,
        border: 1,
        borderColor: 'divider',
        borderLeft: 4,
        borderLeftColor: EDGE[toast.type],
        bgcolor: 'background.paper',
        boxShadow: 8,
        pointerEvents: 'auto',
      }}
    >
      <Box sx={{ flex: 1, py: 0.5, overflowWrap: 'anywhere' }}>{useMessage(toast)}</Box>
      <IconButton size="small" aria-label={text('kit.dismiss')} onClick={onDone}>
        <CloseRounded />
      </IconButton>
    </Box>
  )
}

/** Shows what `useNotify` says: bottom right, for 3 seconds unless somebody is looking at it. */
export function Toasts() {
  const { notifications, setNotifications } = useNotificationContext()
  return (
    <Box
      role="status"
      sx={{
        position: 'fixed',
        right: 16,
        bottom: { xs: 72, md: 16 },
        zIndex: 'snackbar',
        display: 'grid',
        justifyItems: 'end',
        gap: 1,
        pointerEvents: 'none',
      }}
    >
      {notifications.map((toast, index) => (
        <KeyedToast key={keyOf(toast, index)} toast={toast} remove={setNotifications} />
      ))}
    </Box>
  )
}

const keys = new WeakMap<NotificationPayload, number>()
let lastKey = 0
/** Toasts leave in any order, so an index would not name them. */
function keyOf(toast: NotificationPayload, index: number): number {
  if (!keys.has(toast)) keys.set(toast, ++lastKey)
  return keys.get(toast) ?? index
}

type Remove = ReturnType<typeof useNotificationContext>['setNotifications']
function KeyedToast({ toast, remove }: { toast: NotificationPayload; remove: Remove }) {
  const [onDone] = useState(() => () => remove((shown) => shown.filter((other) => other !== toast)))
  return <Toast toast={toast} onDone={onDone} />
}
