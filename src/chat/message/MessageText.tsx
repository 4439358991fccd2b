import Box from '@mui/material/Box'
import { memo, type ReactNode } from 'react'

import { handlesIn, mentionsIn } from '#contract/chat/rules.ts'
import { fullName } from '#contract/kit/names.ts'
import { useChatPeople } from '#providers/chat/useChat.ts'
import { useSession } from '#providers/session.ts'
import { prose } from '#src/kit/rich-text/prose.ts'
import { RichTextNodes } from '#src/kit/rich-text/RichTextView.tsx'
import { withLinks } from '#src/kit/rich-text/withLinks.tsx'
import { useText } from '#src/kit/useText.ts'

interface MentionProps {
  email: string
  /** Text of the mention, shown if nobody has the address. */
  written: string
}

const chip = {
  px: 0.5,
  borderRadius: '4px',
  fontWeight: 600,
  color: 'primary.main',
  bgcolor: 'rgba(var(--m-palette-primary-mainChannel) / 0.08)',
  boxDecorationBreak: 'clone',
} as const

/** A mention by name. The data attribute lets the editor recognise a copied one. */
function MentionChip({ email, written }: MentionProps) {
  const text = useText()
  const { uuid } = useSession()
  const { byEmail } = useChatPeople()
  const person = byEmail(email)
  if (person === null) return written
  const name = person ? fullName(person) || email : text('chatMessages.userLoading')
  const isMe = person !== undefined && person.uuid === uuid
  return (
    <Box
      component="span"
      title={email}
      data-mention={email}
      data-name={name}
      sx={{ ...chip, ...(isMe && { color: 'primary.contrastText', bgcolor: 'primary.main' }) }}
    >
      @<bdi>{name}</bdi>
    </Box>
  )
}

/** Renders mentions in plain text by name; `renderRest` renders the text between them. */
export function withMentions(plain: string, renderRest: (text: string) => ReactNode): ReactNode[] {
  const nodes: ReactNode[] = []
  let done = 0
  for (const { index, text, email } of mentionsIn(plain)) {
    nodes.push(
      <span key={`before ${index}`}>{renderRest(plain.slice(done, index))}</span>,
      <MentionChip key={index} email={email} written={text} />,
    )
    done = index + text.length
  }
  return [...nodes, <span key="rest">{renderRest(plain.slice(done))}</span>]
}
const renderText = (plain: string): ReactNode =>
  plain.includes('@') ? withMentions(plain, withLinks) : withLinks(plain)

/** Renders the handles of audiences as mentions; `renderRest` renders the text between them. */
function withAudiences(
  plain: string,
  audiences: readonly string[],
  renderRest: (text: string) => ReactNode,
): ReactNode[] {
  const nodes: ReactNode[] = []
  let done = 0
  for (const { index, text, handle } of handlesIn(plain)) {
    if (!audiences.includes(handle)) continue
    nodes.push(
      <span key={`before ${index}`}>{renderRest(plain.slice(done, index))}</span>,
      <Box key={index} component="span" sx={chip}>
        {text}
      </Box>,
    )
    done = index + text.length
  }
  return [...nodes, <span key="rest">{renderRest(plain.slice(done))}</span>]
}

/** Matches up to three emoji and nothing else, which are shown large. */
const EMOJI_ONLY = /^<p>(?:\p{RGI_Emoji}\s?){1,3}<\/p>$/v
/** Styles of all message texts, set once on the list. */
export const messageTextStyles = {
  '& .message-text': {
    ...prose,
    lineHeight: 1.5,
    fontSize: { xs: '1rem', sm: '0.875rem' },
    '& > * + *': { marginTop: '4px' },
    // Pasted text keeps the blanks of its lines.
    '& p': { whiteSpace: 'pre-wrap', unicodeBidi: 'plaintext' },
    '& > * + h1, & > * + h2, & > * + h3, & > * + [data-level]': { marginTop: '8px' },
  },
  '& .message-emoji': { ...prose, fontSize: '1.75rem', lineHeight: 1.3 },
}

interface TextProps {
  html: string
  /** Handles of the mentioned audiences. */
  audiences?: readonly string[] | undefined
}

/** The text of a message: safe rich text with mentions by name and links. */
export const MessageText = memo(function MessageText({ html, audiences }: TextProps) {
  const className = EMOJI_ONLY.test(html) ? 'message-emoji' : 'message-text'
  const render = audiences ? (plain: string) => withAudiences(plain, audiences, renderText) : renderText
  return (
    <div dir="auto" className={className}>
      <RichTextNodes html={html} above={2} renderText={render} />
    </div>
  )
})
