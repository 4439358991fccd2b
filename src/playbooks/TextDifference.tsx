import Box from '@mui/material/Box'
import { diffWordsWithSpace } from 'diff'
import { memo } from 'react'

import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

/** Edits beyond which two texts count as entirely different, which bounds the work. */
const EDITS_MAX = 400

interface Part {
  readonly kind: 'kept' | 'added' | 'removed'
  readonly value: string
}

function partsOf(before: string, after: string): Part[] {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: EDITS_MAX })
  if (changes)
    return changes.map(({ added, removed, value }) => ({
      kind: added ? 'added' : removed ? 'removed' : 'kept',
      value,
    }))
  return [
    { kind: 'removed' as const, value: before },
    { kind: 'added' as const, value: after },
  ]
}

/** The difference of two texts: removed words are struck through, added words are underlined. */
export const TextDifference = memo(function TextDifference({
  before,
  after,
}: {
  before: string
  after: string
}) {
  const text = useText()
  const parts = partsOf(before, after).filter(({ value }) => value !== '')
  return (
    <Box
      dir="auto"
      sx={{
        whiteSpace: 'pre-wrap',
        unicodeBidi: 'plaintext',
        overflowWrap: 'anywhere',
        '& del': { color: 'error.main' },
        '& del + ins': { ml: 0.5 },
        '& ins': { color: 'success.main', textDecorationThickness: '2px', textUnderlineOffset: '3px' },
      }}
    >
      {parts.map(({ kind, value }, index) =>
        kind === 'kept' ? (
          // The parts have no key but their index.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index}>{value}</span>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- as above
          <Box component={kind === 'added' ? 'ins' : 'del'} key={index}>
            <Box component="span" sx={visuallyHidden}>
              {text(kind === 'added' ? 'playbookDialogs.addedWords' : 'playbookDialogs.removedWords')}{' '}
            </Box>
            {value}
          </Box>
        ),
      )}
    </Box>
  )
})
