import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { ReactNode } from 'react'

import { useText } from '../useText.ts'

import { Sentences } from './Problems.tsx'
import type { Faulty } from './faulty.ts'
import { SaveProblemsButton } from './SaveProblemsButton.tsx'

interface Props {
  faulty: Faulty<unknown>
  /** Help about the errors. */
  help?: ReactNode
  /** Continues with the other rows. */
  onGoOn: () => void
}

/** Errors of a file's rows, which can be corrected or left out. */
export function FaultyFile({ faulty, help, onGoOn }: Props) {
  const text = useText()
  const { name, rows, count, rest, sentences } = faulty
  const left = count - rows.length
  return (
    <Alert severity="error">
      <AlertTitle sx={{ overflowWrap: 'anywhere' }}>
        {text('tableImport.faulty', { name, bad: rows.length, count })}
      </AlertTitle>
      <Sentences sentences={sentences} />
      {help && <Box sx={{ mt: 1 }}>{help}</Box>}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1.5 }}>
        <SaveProblemsButton faulty={faulty} />
        {rest !== undefined && (
          <Button size="small" variant="outlined" color="inherit" onClick={onGoOn}>
            {text('tableImport.without', { smart_count: left })}
          </Button>
        )}
      </Box>
    </Alert>
  )
}
