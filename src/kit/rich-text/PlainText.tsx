import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { Fragment, memo, type ReactNode } from 'react'

import { useFold } from './useFold.ts'

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
  /** Visible rows before the text is folded; all by default. */
  rows?: number
}

/** Plain text with its line breaks. Addresses become links, and a long text folds. */
export const PlainText = memo(function PlainText({ text: content, rows }: Props) {
  const mayFold = rows !== undefined && content.length >= LONG
  const fold = useFold(mayFold && couldFold(content, rows))
  return (
    <>
      <Box
        {...fold.content}
        dir="auto"
        sx={{
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
          ...(mayFold &&
            !fold.open && {
              display: '-webkit-box',
              WebkitBoxOrient: 'vertical',
              WebkitLineClamp: rows,
              overflow: 'hidden',
            }),
        }}
      >
        {withLinks(content)}
      </Box>
      {fold.folds && <Button size="small" {...fold.toggle} sx={{ minHeight: 28, px: 0.5, ml: -0.5 }} />}
    </>
  )
})
