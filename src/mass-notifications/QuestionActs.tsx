import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useNotify } from 'react-admin'
import { useState } from 'react'

import type { NotificationDetail } from '#contract/mass-notifications/schema.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { useCancelWaiting, useCloseQuestion } from './queries.ts'

/** Cancels what waits, and closes the question: each asks first. */
export function QuestionActs({
  notification: { id, waitingCount },
  isOpen,
}: {
  notification: NotificationDetail
  isOpen: boolean
}) {
  const text = useText()
  const notify = useNotify()
  const [asks, setAsks] = useState<'close' | 'cancel' | null>(null)
  const { mutateAsync: close } = useCloseQuestion(id)
  const { mutateAsync: cancel } = useCancelWaiting(id)
  const done = () => setAsks(null)
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: 0.5 }}>
      {waitingCount > 0 && (
        <Button size="small" color="error" onClick={() => setAsks('cancel')}>
          {text('massNotifications.cancelWaiting')}
        </Button>
      )}
      {isOpen && (
        <Button size="small" onClick={() => setAsks('close')}>
          {text('massNotifications.closeQuestion')}
        </Button>
      )}
      <ConfirmDialog
        open={asks === 'close'}
        title={text('massNotifications.closeTitle')}
        text={text('massNotifications.closeText')}
        submitLabel={text('massNotifications.closeQuestion')}
        onSubmit={async () => {
          await close()
          notify(text('massNotifications.closed'), { type: 'success' })
        }}
        onClose={done}
      />
      <ConfirmDialog
        open={asks === 'cancel'}
        destructive
        title={text('massNotifications.cancelTitle')}
        text={text('massNotifications.cancelText', { smart_count: waitingCount })}
        submitLabel={text('massNotifications.cancelWaiting')}
        onSubmit={async () => {
          const { cancelled } = await cancel()
          notify(text('massNotifications.cancelled', { smart_count: cancelled }), { type: 'success' })
        }}
        onClose={done}
      />
    </Box>
  )
}
