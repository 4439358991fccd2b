import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { Fragment, memo, type ReactNode, useId, useState } from 'react'

import { useOverflow } from './useOverflow.ts'
import { useText } from './useText.ts'

/** Texts shorter than this are never folded (operations §4). */
const LONG = 50
/** Letters that fit in the narrowest row, so that most texts need no measuring. */
const NARROWEST = 18
const couldFold = (content: string, rows: number) =>
  content.length > rows * NARROWEST || content.split('\n', rows + 1).length > rows
const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"]+/gi
/** What ends a sentence rather than an address. */
const ENDING = /[.,;:!?'"\])}]+$/

/** The address without the sentence's own marks; a closing bracket stays when the address opened it. */
function addressOf(found: string): string {
  const bare = found.replace(ENDING, '')
  const next = found[bare.length]
  const opened = bare.split('(').length > bare.split(')').length
  return next === ')' && opened ? `${bare})` : bare
}

function withLinks(text: string): ReactNode[] {
  const nodes: ReactNode[] = []
  let done = 0
  for (const match of text.matchAll(ADDRESS)) {
    const address = addressOf(match[0])
    const href = address.toLowerCase().startsWith('www.') ? `https://${address}` : address
    nodes.push(
      text.slice(done, match.index),
      <Link key={match.index} href={href} target="_blank" rel="noopener noreferrer nofollow">
        {address}
      </Link>,
    )
    done = match.index + address.length
  }
  return [...nodes, <Fragment key="rest">{text.slice(done)}</Fragment>]
}

interface Props {
  text: string
  /** How many rows are shown before the text is folded; all of them unless said. */
  rows?: number
}

/** Plain text as it was typed: line breaks stay, addresses become links, and a long text folds. */
export const PlainText = memo(function PlainText({ text: content, rows }: Props) {
  const text = useText()
  const id = useId()
  const [open, setOpen] = useState(false)
  const [element, setElement] = useState<HTMLElement | null>(null)
  const mayFold = rows !== undefined && content.length >= LONG
  const folds = useOverflow(element, { watched: mayFold && couldFold(content, rows), open })
  return (
    <>
      <Box
        id={id}
        ref={setElement}
        dir="auto"
        onFocus={(event) => {
          // What the keyboard reaches is never hidden.
          if (event.target.matches(':focus-visible')) setOpen(true)
        }}
        sx={{
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
          ...(mayFold &&
            !open && {
              display: '-webkit-box',
              WebkitBoxOrient: 'vertical',
              WebkitLineClamp: rows,
              overflow: 'hidden',
            }),
        }}
      >
        {withLinks(content)}
      </Box>
      {folds && (
        <Button
          size="small"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          sx={{ minHeight: 28, px: 0.5, ml: -0.5 }}
        >
          {text(open ? 'richText.showLess' : 'richText.showMore')}
        </Button>
      )}
    </>
  )
})
