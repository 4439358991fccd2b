import Button from '@mui/material/Button'
import { useNotify } from 'react-admin'
import { useState } from 'react'

import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { useCloseQuestion } from './queries.ts'

/** Closes an open question, after asking. */
export function CloseQuestion({ id, isOpen }: { id: string; isOpen: boolean }) {
  const text = useText()
  const notify = useNotify()
  const [isAsking, setAsking] = useState(false)
  const { mutateAsync: close } = useCloseQuestion(id)
  return (
    <>
      {isOpen && (
        <Button size="small" onClick={() => setAsking(true)}>
          {text('massNotifications.closeQuestion')}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        title={text('massNotifications.closeTitle')}
        text={text('massNotifications.closeText')}
        submitLabel={text('massNotifications.closeQuestion')}
        onSubmit={async () => {
          await close()
          notify(text('massNotifications.closed'), { type: 'success' })
        }}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
