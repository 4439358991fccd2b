import Typography from '@mui/material/Typography'

import { useChatPeople, useTyping } from '#providers/chat/useChat.ts'
import { useText } from '#src/kit/useText.ts'

/** Names of people who are typing, two at most. */
export function TypingLine({ roomId }: { roomId: string }) {
  const text = useText()
  const { nameOf } = useChatPeople()
  const typing = useTyping(roomId)
  const [one, two] = typing.map(nameOf)
  const words = () => {
    if (one === undefined) return ''
    if (two === undefined) return text('chat.typingOne', { one })
    return text(typing.length === 2 ? 'chat.typingTwo' : 'chat.typingMany', { one, two })
  }
  return (
    <Typography
      variant="caption"
      component="p"
      noWrap
      dir="auto"
      sx={{ height: 20, px: 2, color: 'text.secondary' }}
    >
      {words()}
    </Typography>
  )
}
