import type { Room } from '#contract/chat/schema.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

interface Props {
  room: Room
  onSend: () => void
  onClose: () => void
}

/** Asks before a message notifies everybody online in a large room. */
export function HereDialog({ room, onSend, onClose }: Props) {
  const text = useText()
  return (
    <ConfirmDialog
      open
      title={text('chat.hereTitle')}
      text={text('chat.hereText', { smart_count: room.member_count })}
      submitLabel={text('chat.hereSend')}
      onSubmit={onSend}
      onClose={onClose}
    />
  )
}
