import { calls } from '#providers/calls/calls.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

interface Props {
  callId: string
  title: string
  open: boolean
  onClose: () => void
}

/** Confirms ending a call for everybody. */
export function EndCallDialog({ callId, title, open, onClose }: Props) {
  const text = useText()
  return (
    <ConfirmDialog
      open={open}
      title={text('calls.endTitle')}
      text={text('calls.endText', { title })}
      submitLabel={text('calls.end')}
      destructive
      onSubmit={() => calls.end(callId)}
      onClose={onClose}
    />
  )
}
