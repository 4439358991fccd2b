import Button from '@mui/material/Button'
import { useNotify } from 'react-admin'
import { useState } from 'react'

import type { NotificationDetail } from '#contract/mass-notifications/schema.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { useCancelWaiting } from './queries.ts'

/** Cancels the messages that no carrier has yet, after asking. */
export function CancelWaiting({ notification: { id, waitingCount } }: { notification: NotificationDetail }) {
  const text = useText()
  const notify = useNotify()
  const [isAsking, setAsking] = useState(false)
  const { mutateAsync: cancel } = useCancelWaiting(id)
  return (
    <>
      {waitingCount > 0 && (
        <Button size="small" color="error" onClick={() => setAsking(true)}>
          {text('massNotifications.cancelWaiting')}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        destructive
        title={text('massNotifications.cancelTitle')}
        text={text('massNotifications.cancelText', { smart_count: waitingCount })}
        submitLabel={text('massNotifications.cancelWaiting')}
        onSubmit={async () => {
          const { cancelled } = await cancel()
          notify(text('massNotifications.cancelled', { smart_count: cancelled }), { type: 'success' })
        }}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
