import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

import type { Message } from '#contract/chat/schema.ts'
import { lineOf } from '#providers/chat/plainText.ts'
import { useChat, useChatPeople } from '#providers/chat/useChat.ts'
import { Time } from '#src/kit/time/Time.tsx'

import { NAMES_IN_LIST, titleOf } from '../titleValues.ts'

interface Props {
  message: Message
  onFollow: () => void
  /** Marks before the time, such as that of an unread message. */
  marks?: ReactNode
}

/** A message of any room in a list: author, room, time and the beginning of its text. */
export function FoundMessage({ message, onFollow, marks }: Props) {
  const chat = useChat()
  const { nameOf, nameByEmail } = useChatPeople()
  const room = chat.room(message.roomId)
  return (
    <ButtonBase
      onClick={onFollow}
      sx={{
        display: 'block',
        width: '100%',
        font: 'inherit',
        p: 1.5,
        textAlign: 'start',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <Box
        sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, fontSize: '0.75rem', color: 'text.secondary' }}
      >
        <Box component="span" dir="auto" sx={{ flex: '1 1 120px', minWidth: 0, overflowWrap: 'anywhere' }}>
          <b>{nameOf(message.user)}</b>
          {room && ` · ${titleOf(room, NAMES_IN_LIST)}`}
        </Box>
        {marks}
        <Time at={message.created_at} short />
      </Box>
      <Typography
        variant="body2"
        dir="auto"
        sx={{
          display: '-webkit-box',
          WebkitLineClamp: 3,
          WebkitBoxOrient: 'vertical',
          overflow: 'hidden',
          overflowWrap: 'anywhere',
        }}
      >
        {lineOf(message.text, nameByEmail) || message.attachments.map(({ title }) => title).join(', ')}
      </Typography>
    </ButtonBase>
  )
}
