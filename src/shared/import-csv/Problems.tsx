import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Box from '@mui/material/Box'

import { useText } from '#src/kit/useText.ts'

import type { Refused } from './readCsv.ts'

/** Sentences that are shown; the rest is counted. */
const SENTENCES = 10

/** What is wrong with a file, row by row. */
export function Problems({ refused }: { refused: Refused }) {
  const text = useText()
  if ('text' in refused)
    return (
      <Alert severity="error">
        {text(refused.text)}
        {refused.hint && (
          <Box component="span" sx={{ display: 'block' }}>
            {text(refused.hint, { row: refused.row ?? 1 })}
          </Box>
        )}
      </Alert>
    )
  const { sentences } = refused
  const [only] = sentences
  if (sentences.length === 1)
    return (
      <Alert severity="error" sx={{ overflowWrap: 'anywhere' }}>
        {only}
      </Alert>
    )
  return (
    <Alert severity="error">
      <Box component="ul" sx={{ m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
        {sentences.slice(0, SENTENCES).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </Box>
      {sentences.length > SENTENCES && (
        <AlertTitle sx={{ mt: 1, mb: 0 }}>
          {text('csvImport.moreProblems', { smart_count: sentences.length - SENTENCES })}
        </AlertTitle>
      )}
    </Alert>
  )
}
