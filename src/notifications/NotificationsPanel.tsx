import DoneAllRounded from '@mui/icons-material/DoneAllRounded'
import NotificationsNoneRounded from '@mui/icons-material/NotificationsNoneRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Popover from '@mui/material/Popover'
import Typography from '@mui/material/Typography'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import type { ReactNode } from 'react'

import { notificationsApi } from '#contract/notifications/api.ts'
import type { Notifications } from '#contract/notifications/schema.ts'
import { call } from '#providers/api.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { useText } from '#src/kit/useText.ts'

import { NotificationRow } from './NotificationRow.tsx'
import { NOTIFICATIONS_KEY, useNotifications } from './queries.ts'

const asRead = (known: Notifications, id: string | null): Notifications => {
  const data = known.data.map((one) => (id === null || one.id === id ? { ...one, hasBeenRead: true } : one))
  const before = known.data.filter(({ hasBeenRead }) => !hasBeenRead).length
  const after = data.filter(({ hasBeenRead }) => !hasBeenRead).length
  return { data, unreadCount: id === null ? 0 : known.unreadCount - (before - after) }
}

/** Marks one notification as read, or all for null. Updates optimistically and rolls back on failure. */
function useRead(onFailed: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string | null) =>
      id === null ? call(notificationsApi.readAll) : call(notificationsApi.read, { params: { id } }),
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey: NOTIFICATIONS_KEY })
      client.setQueryData<Notifications>(NOTIFICATIONS_KEY, (known) => known && asRead(known, id))
    },
    onError: onFailed,
    onSettled: () => void client.invalidateQueries({ queryKey: NOTIFICATIONS_KEY }),
  })
}

interface Props {
  anchor: HTMLElement | null
  onClose: () => void
}

/** The signed-in person's notifications, newest first. */
export function NotificationsPanel({ anchor, onClose }: Props) {
  const text = useText()
  const notify = useNotify()
  const { data, error, refetch } = useNotifications()
  const { mutate: read } = useRead(() => notify(text('notifications.readFailed'), { type: 'error' }))

  let content: ReactNode = <ListSkeleton phone />
  if (data && data.data.length === 0)
    content = <EmptyState icon={<NotificationsNoneRounded />} text={text('notifications.empty')} />
  else if (data)
    content = (
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {data.data.map((notification) => (
          <NotificationRow
            key={notification.id}
            notification={notification}
            onFollow={() => {
              if (!notification.hasBeenRead) read(notification.id)
              onClose()
            }}
          />
        ))}
      </Box>
    )
  else if (error)
    content = (
      <ErrorState error={error} text={text('notifications.fetchFailed')} onRetry={() => void refetch()} />
    )

  return (
    <Popover
      open={anchor !== null}
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': text('notifications.title'),
          sx: {
            width: 'min(400px, calc(100vw - 32px))',
            maxHeight: 'min(640px, calc(100dvh - 96px))',
            mt: 1,
          },
        },
      }}
    >
      <Box
        sx={{
          position: 'sticky',
          top: 0,
          zIndex: 1,
          display: 'flex',
          alignItems: 'center',
          justifyContent: 'space-between',
          minHeight: 56,
          pl: 2,
          pr: 1,
          bgcolor: 'background.paper',
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <Typography variant="h3" component="h2">
          {text('notifications.title')}
        </Typography>
        {data && data.unreadCount > 0 && (
          <Button size="small" startIcon={<DoneAllRounded />} onClick={() => read(null)}>
            {text('notifications.readAll')}
          </Button>
        )}
      </Box>
      {content}
    </Popover>
  )
}
