import { useNotify } from 'react-admin'

import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { useActivate } from './queries.ts'

/** Sends the activation email again to everybody who never signed in and has no password. */
export function ActivateDialog({ count, onClose }: { count: number; onClose: () => void }) {
  const text = useText()
  const notify = useNotify()
  const activate = useActivate()
  return (
    <ConfirmDialog
      open
      title={text('readiness.activate.title')}
      text={text('readiness.activate.text', { smart_count: count })}
      submitLabel={text('readiness.activate.submit')}
      onSubmit={async () => {
        const { sent, refused } = await activate.mutateAsync()
        const told = text('readiness.activate.done', { smart_count: sent })
        notify(
          refused === 0 ? told : `${told} ${text('readiness.activate.refused', { smart_count: refused })}`,
          {
            type: refused === 0 ? 'success' : 'warning',
          },
        )
      }}
      onClose={onClose}
    />
  )
}
