import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'

import type { Message, Room } from '#contract/chat/schema.ts'
import { useChatPeople } from '#providers/chat/useChat.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { LoadProblem } from './LoadProblem.tsx'
import { usePinned } from './queries.ts'
import { lineOf } from '#providers/chat/plainText.ts'
import { Section } from './Section.tsx'

/** Styles of a panel row that links to a message. */
export const ROW_BUTTON = {
  display: 'block',
  width: '100%',
  px: 1,
  py: 0.75,
  borderRadius: '6px',
  font: 'inherit',
  textAlign: 'start',
  '&:hover': { bgcolor: 'action.hover' },
} as const

function Pin({
  message,
  onJump,
}: {
  message: Message
  onJump: (sequence: number, messageId: string) => void
}) {
  const text = useText()
  const { nameOf, nameByEmail } = useChatPeople()
  const sender = nameOf(message.user)
  const words = lineOf(message.text, nameByEmail)
  const { attachments } = message
  return (
    <ButtonBase
      sx={ROW_BUTTON}
      title={text('chatRooms.goToMessage', { name: sender })}
      onClick={() => onJump(message.sequence, message.id)}
    >
      <Box component="span" sx={{ display: 'block', fontSize: '0.75rem', color: 'text.secondary' }}>
        <bdi>{sender}</bdi>
        {' · '}
        <Time at={message.created_at} short />
      </Box>
      <Box
        component="span"
        dir="auto"
        sx={{
          display: '-webkit-box',
          WebkitBoxOrient: 'vertical',
          WebkitLineClamp: 3,
          overflow: 'hidden',
          overflowWrap: 'anywhere',
        }}
      >
        {words ||
          (message.isCall
            ? text('calls.message')
            : text('chatRooms.justFiles', { smart_count: attachments.length }))}
      </Box>
    </ButtonBase>
  )
}

interface Props {
  room: Room
  onJump: (sequence: number, messageId: string) => void
}

/** The pinned messages of a room, latest pin first. */
export function PinnedSection({ room, onJump }: Props) {
  const text = useText()
  const { data, error, refetch } = usePinned(room.id)
  if (data ? data.length === 0 : !error) return null
  return (
    <Section name="pinned" title={text('chatRooms.pinned')} count={data?.length}>
      {!data && error && (
        <LoadProblem message={text('chatRooms.pinsNotLoaded')} onRetry={() => void refetch()} />
      )}
      {data && (
        <Box component="ul" sx={{ mx: -1, my: 0, p: 0, listStyle: 'none' }}>
          {data.map((message) => (
            <li key={message.id}>
              <Pin message={message} onJump={onJump} />
            </li>
          ))}
        </Box>
      )}
    </Section>
  )
}
