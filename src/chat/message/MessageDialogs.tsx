import type { ChatMessage } from '#providers/chat/timeline.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { EmojiPopover } from '../composer/EmojiPopover.tsx'
import { useMessageActs } from './useMessageActs.ts'

interface ReactionProps {
  message: ChatMessage
  anchor: HTMLElement | null
  onClose: () => void
}
/** Picks an emoji for a message. */
export function ReactionPopover({ message, ...props }: ReactionProps) {
  const { react } = useMessageActs(message)
  return <EmojiPopover {...props} onPick={(emoji) => void react(emoji, true)} />
}

interface RemoveProps {
  message: ChatMessage
  open: boolean
  onClose: () => void
}
/** Confirms the deletion of a message. */
export function RemoveDialog({ message, ...props }: RemoveProps) {
  const text = useText()
  const { remove } = useMessageActs(message)
  return (
    <ConfirmDialog
      {...props}
      title={text('chatMessages.deleteTitle')}
      text={text('chatMessages.deleteText')}
      submitLabel={text('chatMessages.delete')}
      destructive
      onSubmit={remove}
    />
  )
}
