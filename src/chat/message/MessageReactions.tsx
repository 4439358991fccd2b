import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Tooltip from '@mui/material/Tooltip'

import type { Reaction } from '#contract/chat/schema.ts'
import { useChatPeople } from '#providers/chat/useChat.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { useSession } from '#providers/session.ts'
import { useText } from '#src/kit/useText.ts'

import { useMessageActs } from './useMessageActs.ts'

/** Names that the tooltip lists before it counts the others. */
const NAMES_MAX = 10

interface ChipProps {
  reaction: Reaction
  onToggle: (emoji: string, isOn: boolean) => void
}

function ReactionChip({ reaction: { emoji, userIds }, onToggle }: ChipProps) {
  const text = useText()
  const { uuid } = useSession()
  const { nameOf } = useChatPeople()
  const isMine = uuid !== null && userIds.includes(uuid)
  const names = [
    ...(isMine ? [text('chatMessages.you')] : []),
    ...userIds.filter((id) => id !== uuid).map(nameOf),
  ]
  const more = names.length - NAMES_MAX
  const list = [
    ...names.slice(0, NAMES_MAX),
    ...(more > 0 ? [text('chatMessages.andOthers', { smart_count: more })] : []),
  ].join(', ')
  return (
    <Tooltip title={list}>
      <ButtonBase
        aria-pressed={isMine}
        aria-label={text('chatMessages.reaction', { emoji, names: list })}
        onClick={() => onToggle(emoji, !isMine)}
        sx={{
          gap: 0.5,
          minHeight: 28,
          px: 1,
          border: 1,
          borderColor: isMine ? 'primary.main' : 'divider',
          borderRadius: '14px',
          bgcolor: isMine ? 'rgba(var(--m-palette-primary-mainChannel) / 0.08)' : 'background.paper',
          color: isMine ? 'primary.main' : 'text.secondary',
          fontFamily: 'inherit',
          fontSize: '0.8125rem',
          fontWeight: 600,
          fontVariantNumeric: 'tabular-nums',
          '&:hover': { bgcolor: 'action.hover' },
          '@media (hover: none)': { minHeight: 44, minWidth: 44, px: 1.5, borderRadius: '22px' },
        }}
      >
        <Box component="span" sx={{ fontSize: '1rem', lineHeight: 1 }}>
          {emoji}
        </Box>
        {userIds.length}
      </ButtonBase>
    </Tooltip>
  )
}

/** Reactions to a message with their counts; a click adds or removes one's own. */
export function MessageReactions({ message }: { message: ChatMessage }) {
  const { react } = useMessageActs(message)
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5, mt: 0.5 }}>
      {message.reactions.map((reaction) => (
        <ReactionChip
          key={reaction.emoji}
          reaction={reaction}
          onToggle={(emoji, isOn) => void react(emoji, isOn)}
        />
      ))}
    </Box>
  )
}
