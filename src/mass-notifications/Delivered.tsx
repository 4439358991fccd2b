import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded'
import DoneAllRounded from '@mui/icons-material/DoneAllRounded'
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded'
import ScheduleRounded from '@mui/icons-material/ScheduleRounded'
import Box from '@mui/material/Box'

import { messageInWords } from '#contract/mass-notifications/rules.ts'
import type { RecipientMessage } from '#contract/mass-notifications/schema.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

const LOOKS = {
  DELIVERED: { icon: DoneAllRounded, color: 'success' },
  SENT: { icon: CheckCircleOutlineRounded, color: 'success' },
  WAITING: { icon: ScheduleRounded, color: 'warning' },
  FAILED: { icon: ErrorOutlineRounded, color: 'error' },
  NOT_SENT: { icon: ErrorOutlineRounded, color: 'error' },
} as const
type ShownMessage = Pick<RecipientMessage, 'type' | 'state' | 'reason' | 'doneTimestamp'> &
  Partial<Pick<RecipientMessage, 'problem'>>
/** The state of each message, with its reason and time. */
export function Delivered({ messages }: { messages: readonly ShownMessage[] }) {
  const text = useText()
  return messages.map((message) => {
    const { icon: Icon, color } = LOOKS[message.state]
    return (
      <Box key={message.type} sx={{ display: 'flex', gap: 0.75 }}>
        <Icon color={color} sx={{ flex: 'none', mt: 0.25, fontSize: 16 }} />
        <span>
          {text(`massNotifications.typesInShort.${message.type}`)}: {messageInWords(message)}
          {message.doneTimestamp !== null && (
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {' · '}
              <Time at={message.doneTimestamp} />
            </Box>
          )}
        </span>
      </Box>
    )
  })
}
