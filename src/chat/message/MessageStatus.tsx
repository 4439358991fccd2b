import DoneAllRounded from '@mui/icons-material/DoneAllRounded'
import DoneRounded from '@mui/icons-material/DoneRounded'
import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Tooltip from '@mui/material/Tooltip'
import { useState } from 'react'

import type { Room } from '#contract/chat/schema.ts'
import { taggedName } from '#providers/chat/useChat.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

import { useReaders } from './queries.ts'

/** Names that the tooltip lists before it counts the others (operations §9). */
const NAMES_MAX = 10

function Readers({ messageId }: { messageId: string }) {
  const text = useText()
  const { data, error } = useReaders(messageId, true)
  if (error && !data) return text('chatMessages.readByFailed')
  if (!data) return text('chatMessages.readByLoading')
  const more = data.total - Math.min(data.people.length, NAMES_MAX)
  return (
    <>
      <Box sx={{ fontWeight: 600 }}>{text('chatMessages.readBy')}</Box>
      {data.people.slice(0, NAMES_MAX).map((person) => (
        <div key={person.uuid}>
          <bdi>{taggedName(person)}</bdi>
        </div>
      ))}
      {more > 0 && <div>{text('chatMessages.andOthers', { smart_count: more })}</div>}
    </>
  )
}

/** The double check. Its tooltip requests the readers when it opens. */
function ReadMark({ messageId }: { messageId: string }) {
  const text = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <Tooltip
      open={isOpen}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      describeChild
      title={isOpen ? <Readers messageId={messageId} /> : ''}
    >
      <ButtonBase
        aria-label={text('chatMessages.readBy')}
        onClick={() => setOpen(true)}
        sx={{
          minWidth: 24,
          minHeight: 24,
          borderRadius: '4px',
          color: 'primary.main',
          '@media (hover: none)': { minWidth: 44, minHeight: 44, my: -1.25 },
        }}
      >
        <DoneAllRounded sx={{ fontSize: 16 }} />
      </ButtonBase>
    </Tooltip>
  )
}

/** Delivery state of one's own latest message: dots, one check, two checks (operations §4). */
export function MessageStatus({ room, message }: { room: Room; message: ChatMessage }) {
  const text = useText()
  if (message.status === 'failed') return null
  if (message.status === 'received' && room.othersReadSequence >= message.sequence)
    return <ReadMark messageId={message.id} />
  const isSending = message.status === 'sending'
  const Icon = isSending ? MoreHorizRounded : DoneRounded
  const label = text(isSending ? 'chatMessages.sending' : 'chatMessages.sent')
  return (
    <Box
      component="span"
      title={label}
      sx={{ display: 'inline-grid', placeItems: 'center', width: 24, height: 24, color: 'text.secondary' }}
    >
      <Icon sx={{ fontSize: 16 }} />
      <Box component="span" sx={visuallyHidden}>
        {label}
      </Box>
    </Box>
  )
}
