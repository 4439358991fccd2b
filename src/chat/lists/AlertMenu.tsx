import NotificationsActiveRounded from '@mui/icons-material/NotificationsActiveRounded'
import NotificationsNoneRounded from '@mui/icons-material/NotificationsNoneRounded'
import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import IconButton from '@mui/material/IconButton'
import Popover from '@mui/material/Popover'
import Switch from '@mui/material/Switch'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { useNotify } from 'react-admin'
import { useState } from 'react'

import { canNotify, useAlertChoice } from '#providers/chat/alerts.ts'
import { useText } from '#src/kit/useText.ts'

/** Sets this browser's alerts on mentions and direct messages. */
export function AlertMenu() {
  const text = useText()
  const notify = useNotify()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const { notifications, sound, setNotifications, setSound } = useAlertChoice()
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
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { 'aria-label': label, role: 'dialog' } }}
      >
        <Box sx={{ display: 'grid', gap: 0.5, p: 2, maxWidth: 320 }}>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {text('chat.alertsText')}
          </Typography>
          {canNotify() && (
            <FormControlLabel
              control={
                <Switch
                  checked={notifications}
                  onChange={(_, isWanted) =>
                    void setNotifications(isWanted).then(
                      (isAllowed) => isAllowed || notify('chat.alertsRefused', { type: 'warning' }),
                    )
                  }
                />
              }
              label={text('chat.browserNotifications')}
            />
          )}
          <FormControlLabel
            control={<Switch checked={sound} onChange={(_, isWanted) => setSound(isWanted)} />}
            label={text('chat.sound')}
          />
        </Box>
      </Popover>
    </>
  )
}
