import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import Popover from '@mui/material/Popover'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import { useNotify } from 'react-admin'

import { canNotify, useAlertChoice } from '#providers/chat/alerts.ts'
import { useText } from '#src/kit/useText.ts'

interface Props {
  anchor: HTMLElement
  onClose: () => void
}

/** The switches of this browser's alerts. */
export function AlertPopover({ anchor, onClose }: Props) {
  const text = useText()
  const notify = useNotify()
  const { notifications, sound, setNotifications, setSound } = useAlertChoice()
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{ paper: { 'aria-label': text('chat.alerts'), role: 'dialog' } }}
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
  )
}
