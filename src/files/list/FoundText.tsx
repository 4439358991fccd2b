import Box from '@mui/material/Box'

import type { TextMatch } from '#contract/files/schema.ts'
import { useText } from '#src/kit/useText.ts'

/** The place in a file's text where a search found its words, in two lines. */
export function FoundText({ match: { page, snippet } }: { match: TextMatch }) {
  const text = useText()
  return (
    <Box
      component="span"
      dir="auto"
      sx={{
        display: '-webkit-box',
        WebkitBoxOrient: 'vertical',
        WebkitLineClamp: 2,
        overflow: 'hidden',
        whiteSpace: 'normal',
        overflowWrap: 'anywhere',
        fontSize: '0.8125rem',
        fontWeight: 400,
        lineHeight: '18px',
        color: 'text.secondary',
        '& mark': { bgcolor: 'transparent', color: 'text.primary', fontWeight: 600 },
      }}
    >
      {page !== null && `${text('files.foundOnPage', { page })} · `}
      {snippet.map((part, n) =>
        // oxlint-disable-next-line react/no-array-index-key -- parts have no other identity and never move
        part.isMatch ? <mark key={n}>{part.text}</mark> : <span key={n}>{part.text}</span>,
      )}
    </Box>
  )
}
