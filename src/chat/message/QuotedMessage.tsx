import Box from '@mui/material/Box'
import { useMemo } from 'react'

import type { Quotation } from '#contract/chat/schema.ts'
import { useChatPeople } from '#providers/chat/useChat.ts'
import { wordsOf } from '#src/kit/rich-text/prose.ts'
import { useText } from '#src/kit/useText.ts'

import { withMentions } from './MessageText.tsx'

/** Author and text of a quoted message, in at most two lines. */
export function QuotedMessage({ quotation }: { quotation: Quotation }) {
  const text = useText()
  const { nameOf } = useChatPeople()
  const { user, deleted, hasAttachments } = quotation
  const words = useMemo(() => wordsOf(quotation.text).replace(/\s+/g, ' '), [quotation.text])
  return (
    <Box
      component="span"
      sx={{
        display: 'block',
        minWidth: 0,
        paddingInlineStart: 1,
        borderInlineStart: '3px solid',
        borderColor: 'background.edge',
        fontSize: '0.8125rem',
        lineHeight: 1.4,
        textAlign: 'start',
      }}
    >
      <Box component="span" sx={{ display: 'block', fontWeight: 600 }}>
        <bdi>{nameOf(user)}</bdi>
      </Box>
      <Box
        component="span"
        dir="auto"
        sx={{
          display: '-webkit-box',
          WebkitBoxOrient: 'vertical',
          WebkitLineClamp: 2,
          overflow: 'hidden',
          overflowWrap: 'anywhere',
          color: 'text.secondary',
        }}
      >
        {deleted
          ? text('chatMessages.deleted')
          : words === ''
            ? text(hasAttachments ? 'chatMessages.attachment' : 'calls.message')
            : withMentions(words, (plain) => plain)}
      </Box>
    </Box>
  )
}

interface LinkProps {
  quotation: Quotation
  onJump: (sequence: number, messageId: string) => void
}
/** The quoted message; a click jumps to it. */
export function QuotationLink({ quotation, onJump }: LinkProps) {
  const text = useText()
  const { nameOf } = useChatPeople()
  return (
    <Box
      component="button"
      type="button"
      title={text('chatMessages.quoteOf', { name: nameOf(quotation.user) })}
      onClick={() => onJump(quotation.sequence, quotation.id)}
      sx={{
        display: 'block',
        maxWidth: '100%',
        my: 0.5,
        p: 0.5,
        border: 0,
        borderRadius: '6px',
        bgcolor: 'transparent',
        color: 'inherit',
        font: 'inherit',
        cursor: 'pointer',
        '&:hover': { bgcolor: 'action.hover' },
        '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main' },
      }}
    >
      <QuotedMessage quotation={quotation} />
    </Box>
  )
}
