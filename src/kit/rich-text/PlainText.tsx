import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { memo } from 'react'

import { useFold } from './useFold.ts'
import { withLinks } from './withLinks.tsx'

/** Characters below which a text is never folded (operations §4). */
const LONG = 50
/** Characters that fit in the narrowest row, so that most texts need no measuring. */
const NARROWEST = 18
const couldFold = (content: string, rows: number) =>
  content.length > rows * NARROWEST || content.split('\n', rows + 1).length > rows

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
          // Each line aligns by its own direction.
          unicodeBidi: 'plaintext',
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
