import ForumOutlined from '@mui/icons-material/ForumOutlined'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'

import type { ThreadAnswers } from '#contract/chat/schema.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { useChatPeople, useIsUnreadThread } from '#providers/chat/useChat.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { useThreads } from '../room/threadContext.ts'

const lineStyles = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'flex-start',
  columnGap: 0.75,
  width: 'fit-content',
  font: 'inherit',
  minHeight: 28,
  mt: 0.25,
  ml: -0.5,
  px: 0.5,
  borderRadius: '6px',
  fontSize: '0.8125rem',
  color: 'text.secondary',
  textAlign: 'start',
  '& b': { fontWeight: 600, color: 'primary.main' },
  '&:hover b, &:focus-visible b': { textDecoration: 'underline' },
  '@media (hover: none)': { minHeight: 44 },
} as const

function AnswersButton({ id, answers, open }: { id: string; answers: ThreadAnswers; open: () => void }) {
  const text = useText()
  const { find, nameOf } = useChatPeople()
  const isUnread = useIsUnreadThread(id)
  return (
    <ButtonBase
      className="thread-line"
      title={text('chatMessages.answersOf', { names: answers.users.map(nameOf).join(', ') })}
      onClick={open}
      sx={lineStyles}
    >
      <Box component="span" sx={{ display: 'inline-flex', gap: '2px' }}>
        {answers.users.map((userId) => {
          const person = find(userId)
          return (
            <Initials
              key={userId}
              firstName={person?.firstName ?? '?'}
              lastName={person?.lastName ?? ''}
              imageUrl={person?.profileImageUrl ?? null}
              size={20}
            />
          )
        })}
      </Box>
      <b>{text('chatMessages.answers', { smart_count: answers.count })}</b>
      {isUnread && (
        <Box component="span" sx={{ fontWeight: 600, color: 'primary.main' }}>
          {text('chatMessages.newAnswers')}
        </Box>
      )}
      <span>
        {text('chatMessages.lastAnswer')} <Time at={answers.last_at} short />
      </span>
    </ButtonBase>
  )
}

/** The number of answers below a message of a room, or the thread of an answer that is shown in the room as well. */
export function ThreadLine({ message: { id, answers, thread } }: { message: ChatMessage }) {
  const text = useText()
  const { isInThread, open } = useThreads()
  if (isInThread || !open) return null
  if (thread)
    return (
      <ButtonBase className="thread-line" onClick={() => open(thread.id)} sx={lineStyles}>
        <ForumOutlined sx={{ fontSize: 16 }} />
        <b>{text('chatMessages.fromThread')}</b>
      </ButtonBase>
    )
  return answers && answers.count > 0 ? (
    <AnswersButton id={id} answers={answers} open={() => open(id)} />
  ) : null
}
