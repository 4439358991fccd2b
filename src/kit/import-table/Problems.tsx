import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Box from '@mui/material/Box'

import { useText } from '../useText.ts'

import type { Refused } from './readCsv.ts'

/** Sentences shown; the rest is counted. */
const SENTENCES = 10

/** A list of error messages. */
export function Sentences({ sentences }: { sentences: readonly string[] }) {
  const text = useText()
  const [only] = sentences
  if (sentences.length === 1) return <Box sx={{ overflowWrap: 'anywhere' }}>{only}</Box>
  return (
    <>
      <Box component="ul" sx={{ m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
        {sentences.slice(0, SENTENCES).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </Box>
      {sentences.length > SENTENCES && (
        <Box sx={{ mt: 1, fontWeight: 600 }}>
          {text('tableImport.moreProblems', { smart_count: sentences.length - SENTENCES })}
        </Box>
      )}
    </>
  )
}

interface Props {
  refused: Refused
  /** Name of the refused file. */
  name?: string
}

/** The reason why a file cannot be imported. */
export function Problems({ refused, name }: Props) {
  const text = useText()
  return (
    <Alert severity="error">
      {name && (
        <AlertTitle sx={{ overflowWrap: 'anywhere' }}>{text('tableImport.refused', { name })}</AlertTitle>
      )}
      {'text' in refused ? (
        <>
          {text(refused.text)}
          {refused.hint && (
            <Box component="span" sx={{ display: 'block' }}>
              {text(refused.hint, { row: refused.row ?? 1 })}
            </Box>
          )}
        </>
      ) : (
        <Sentences sentences={refused.sentences} />
      )}
    </Alert>
  )
}
