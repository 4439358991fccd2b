import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { NotificationContext, type NotificationPayload, useTranslate } from 'react-admin'
import { useContext, useEffect, useState } from 'react'

import { onLimitReached } from '#providers/limits.ts'
import { serverNow } from '#providers/serverClock.ts'

import { measureDocked } from '../layout/useDockedHeight.ts'
import { Countdown } from '../time/Countdown.tsx'
import { useText } from '../useText.ts'

const SHOWN_MS = 3_000
const EDGE = { success: 'success.main', info: 'primary.main', warning: 'warning.main', error: 'error.main' }

function Toast({
  toast,
  remove,
}: {
  toast: NotificationPayload
  remove: (toast: NotificationPayload) => void
}) {
  const text = useText()
  const translate = useTranslate()
  const [held, setHeld] = useState(false)
  const { message, notificationOptions: options } = toast
  const shownFor = options?.autoHideDuration === undefined ? SHOWN_MS : options.autoHideDuration
  useEffect(() => {
    if (held || shownFor === null) return undefined
    const timer = setTimeout(() => remove(toast), shownFor)
    return () => clearTimeout(timer)
  }, [held, shownFor, toast, remove])
  return (
    <Box
      // A toast that appears below a resting mouse is not hovered.
      onMouseMove={({ movementX, movementY }) => {
        if (movementX !== 0 || movementY !== 0) setHeld(true)
      }}
      onMouseLeave={() => setHeld(false)}
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
      <Box sx={{ flex: 1, py: 0.5, overflowWrap: 'anywhere' }}>
        {typeof message === 'string' ? translate(message, options?.messageArgs) : message}
      </Box>
      <IconButton size="small" aria-label={text('kit.dismiss')} onClick={() => remove(toast)}>
        <CloseRounded />
      </IconButton>
    </Box>
  )
}

// Keys of toasts, which leave in any order.
const keys = new WeakMap<NotificationPayload, number>()
let lastKey = 0
function keyOf(toast: NotificationPayload): number {
  const key = keys.get(toast) ?? ++lastKey
  keys.set(toast, key)
  return key
}

/** One toast with a countdown for any number of rate-limited calls. */
function useLimitToast(
  setNotifications: (change: (shown: NotificationPayload[]) => NotificationPayload[]) => void,
) {
  const text = useText()
  useEffect(() => {
    let shownUntil = 0
    return onLimitReached((refusal) => {
      const ms = refusal.body.msUntilNextAttempt ?? SHOWN_MS
      if (serverNow() < shownUntil) return
      const until = serverNow() + ms
      shownUntil = until
      const message = (
        <>
          {refusal.message} <Countdown until={until} text={text('kit.attemptAfter')} />
        </>
      )
      setNotifications((shown) => [
        ...shown,
        { message, type: 'warning', notificationOptions: { autoHideDuration: ms } },
      ])
    })
  }, [setNotifications, text])
}

/** Shows the messages of `useNotify`: bottom right, for 3 seconds, longer while hovered or focused. */
export function Toasts() {
  const { notifications, setNotifications } = useContext(NotificationContext)
  useLimitToast(setNotifications)
  const hasToasts = notifications.length > 0
  useEffect(() => {
    if (!hasToasts) return undefined
    measureDocked()
    window.addEventListener('scroll', measureDocked, { passive: true })
    return () => window.removeEventListener('scroll', measureDocked)
  }, [hasToasts])
  const [remove] = useState(
    () => (gone: NotificationPayload) => setNotifications((shown) => shown.filter((toast) => toast !== gone)),
  )
  return (
    <Box
      component="output"
      sx={{
        position: 'fixed',
        right: 16,
        // Stays above the bar of a phone and docked panels (`useDockedHeight`).
        bottom: {
          xs: 'calc(72px + var(--docked-height, 0px))',
          md: 'calc(16px + var(--docked-height, 0px))',
        },
        zIndex: 'snackbar',
        display: 'grid',
        justifyItems: 'end',
        gap: 1,
        pointerEvents: 'none',
      }}
    >
      {notifications.map((toast) => (
        <Toast key={keyOf(toast)} toast={toast} remove={remove} />
      ))}
    </Box>
  )
}
