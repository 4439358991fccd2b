import NotificationsActiveRounded from '@mui/icons-material/NotificationsActiveRounded'
import NotificationsNoneRounded from '@mui/icons-material/NotificationsNoneRounded'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { Suspense, useState } from 'react'

import { useAlertChoice } from '#providers/chat/alerts.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

const AlertPopover = lazy(async () => ({ default: (await import('./AlertPopover.tsx')).AlertPopover }))

/** Sets this browser's alerts on mentions and direct messages. */
export function AlertMenu() {
  const text = useText()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const { notifications, sound } = useAlertChoice()
  const label = text('chat.alerts')
  return (
    <>
      <Tooltip title={label}>
        <IconButton
          aria-label={label}
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => setAnchor(currentTarget)}
          sx={{ width: { xs: 44, md: 36 }, height: { xs: 44, md: 36 }, flex: 'none' }}
        >
          {notifications || sound ? <NotificationsActiveRounded /> : <NotificationsNoneRounded />}
        </IconButton>
      </Tooltip>
      {anchor && (
        <Suspense>
          <AlertPopover anchor={anchor} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  )
}
