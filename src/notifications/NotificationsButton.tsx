import NotificationsRounded from '@mui/icons-material/NotificationsRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { Suspense, useState } from 'react'

import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

import { useNotifications } from './queries.ts'

const loadPanel = () => import('./NotificationsPanel.tsx')
const NotificationsPanel = lazy(async () => ({ default: (await loadPanel()).NotificationsPanel }))

/** Highest count on the badge. */
const COUNTED = 99

/** Button with the number of unread notifications. Their list loads on hover or focus. */
export function NotificationsButton() {
  const text = useText()
  const unread = useNotifications().data?.unreadCount ?? 0
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [wanted, setWanted] = useState(false)
  return (
    <>
      <IconButton
        aria-label={
          unread > 0
            ? text('notifications.buttonUnread', { smart_count: unread })
            : text('notifications.button')
        }
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onPointerEnter={() => void loadPanel()}
        onFocus={() => void loadPanel()}
        onClick={(event) => {
          setAnchor(event.currentTarget)
          setWanted(true)
        }}
        sx={{ flex: 'none', width: 40, height: 40 }}
      >
        <NotificationsRounded />
        {unread > 0 && (
          <Box
            component="span"
            aria-hidden
            sx={{
              position: 'absolute',
              top: 2,
              insetInlineStart: 20,
              minWidth: 18,
              height: 18,
              px: 0.5,
              display: 'grid',
              placeContent: 'center',
              borderRadius: 9,
              bgcolor: 'primary.main',
              color: 'primary.contrastText',
              fontSize: '0.6875rem',
              fontWeight: 600,
              fontVariantNumeric: 'tabular-nums',
            }}
          >
            {unread > COUNTED ? `${COUNTED}+` : unread}
          </Box>
        )}
      </IconButton>
      {wanted && (
        <Suspense>
          <NotificationsPanel anchor={anchor} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  )
}
