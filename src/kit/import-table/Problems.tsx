import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState } from 'react-admin'
import { useState } from 'react'

import { useText } from '../useText.ts'

import type { Refused } from './faulty.ts'

/** Sentences that are listed one by one; more are grouped by kind. */
const LISTED = 10
/** Sentences that one press adds, so that thousands of them do not delay the page. */
const PAGE = 100

/** A sentence without its values: what stands in brackets, and words with digits or an at sign. */
function kindOf(sentence: string): string {
  const [open, close] = [sentence.indexOf('('), sentence.lastIndexOf(')')]
  const plain = open >= 0 && close > open ? sentence.slice(0, open) + sentence.slice(close + 1) : sentence
  return plain
    .split(' ')
    .filter((word) => !/[@\d]/.test(word))
    .join(' ')
}

function ProblemGroup({ sentences }: { sentences: readonly string[] }) {
  const text = useText()
  const [count, setCount] = useState(1)
  const more = sentences.length - count
  return (
    <>
      {sentences.slice(0, count).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
      {more > 0 && (
        <Box component="li" sx={{ listStyle: 'none' }}>
          <Button size="small" color="inherit" onClick={() => setCount(count + PAGE)}>
            {text('tableImport.moreProblems', { smart_count: more })}
          </Button>
        </Box>
      )}
    </>
  )
}

/** All error messages. Many are grouped by kind. */
export function Sentences({ sentences }: { sentences: readonly string[] }) {
  const [only] = sentences
  if (sentences.length === 1) return <Box sx={{ overflowWrap: 'anywhere' }}>{only}</Box>
  const groups =
    sentences.length > LISTED
      ? [...Map.groupBy(sentences, kindOf).values()]
      : sentences.map((sentence) => [sentence])
  return (
    <Box
      component="ul"
      // A keyboard scrolls what has the focus.
      tabIndex={0}
      sx={{ m: 0, pl: 2.5, maxHeight: 320, overflowY: 'auto', overflowWrap: 'anywhere' }}
    >
      {groups.map((group) => (
        <ProblemGroup key={group[0]} sentences={group} />
      ))}
    </Box>
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
  const [locale] = useLocaleState()
  const missing =
    'text' in refused && refused.missing?.length
      ? text('tableImport.missingHint', { missing: new Intl.ListFormat(locale).format(refused.missing) })
      : undefined
  return (
    <Alert severity="error">
      {name && (
        <AlertTitle sx={{ overflowWrap: 'anywhere' }}>{text('tableImport.refused', { name })}</AlertTitle>
      )}
      {'text' in refused ? (
        <>
          {text(refused.text)}
          {[refused.hint && text(refused.hint, { row: refused.row ?? 1 }), missing].map(
            (hint) =>
              hint && (
                <Box key={hint} component="span" sx={{ display: 'block' }}>
                  {hint}
                </Box>
              ),
          )}
        </>
      ) : (
        <Sentences sentences={refused.sentences} />
      )}
    </Alert>
  )
}
