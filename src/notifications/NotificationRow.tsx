import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'

import type { Notification } from '#contract/notifications/schema.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'

interface Props {
  notification: Notification
  onFollow: () => void
}

function pathOf({ incidentId, roomId, messageId, playbookId, approvalId }: Notification): string {
  if (approvalId) return `/mass-notifications/approvals/${approvalId}`
  if (playbookId) return `/playbooks/${playbookId}`
  if (roomId) return `/chat/${roomId}?message=${messageId}`
  return incidentId ? `/incidents/${incidentId}` : '/'
}

/** One notification. The whole row links to its incident, message or playbook and marks it as read. */
export function NotificationRow({ notification, onFollow }: Props) {
  const text = useText()
  const { title, details, createTimestamp, hasBeenRead } = notification
  return (
    <Box component="li" sx={{ '& + &': { borderTop: 1, borderColor: 'divider' } }}>
      <Box
        component={Link}
        to={pathOf(notification)}
        onClick={onFollow}
        sx={{
          display: 'grid',
          gridTemplateColumns: '8px 1fr',
          columnGap: 1.5,
          px: 2,
          py: 1.5,
          color: 'text.primary',
          textDecoration: 'none',
          '&:hover': { bgcolor: 'action.hover' },
          '&:focus-visible': { outlineOffset: -2 },
        }}
      >
        <Box
          sx={{
            width: 8,
            height: 8,
            mt: '6px',
            borderRadius: '50%',
            bgcolor: hasBeenRead ? 'transparent' : 'primary.main',
          }}
        >
          {!hasBeenRead && (
            <Box component="span" sx={visuallyHidden}>
              {text('notifications.unread')}
            </Box>
          )}
        </Box>
        <div>
          <Typography variant="body2" sx={{ fontWeight: hasBeenRead ? 400 : 600 }}>
            {title}
          </Typography>
          <Typography variant="body2" dir="auto" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {details}
          </Typography>
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 0.5 }}>
            <Time at={createTimestamp} />
          </Typography>
        </div>
      </Box>
    </Box>
  )
}
