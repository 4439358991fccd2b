import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'

import { useText } from '../useText.ts'

import { Sentences } from './Problems.tsx'
import type { Faulty } from './faulty.ts'
import { SaveProblemsButton } from './SaveProblemsButton.tsx'

interface Props {
  faulty: Faulty<unknown>
  /** True once the other rows have been imported. */
  done?: boolean
}

/** Rows of a file that are not imported, with reasons. */
export function LeftOut({ faulty, done = false }: Props) {
  const text = useText()
  const smart_count = faulty.rows.length
  return (
    <Alert severity="warning">
      <Box sx={{ fontWeight: 600 }}>
        {text(done ? 'tableImport.skipped' : 'tableImport.leftOut', { smart_count })}
      </Box>
      {done && <Sentences sentences={faulty.sentences} />}
      <Box sx={{ mt: 1 }}>
        <SaveProblemsButton faulty={faulty} />
      </Box>
    </Alert>
  )
}
