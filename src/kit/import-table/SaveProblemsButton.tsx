import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Button from '@mui/material/Button'

import { useText } from '../useText.ts'

import type { Faulty } from './faulty.ts'
import { saveProblems } from './saveProblems.ts'

/** Saves the faulty rows with their errors. */
export function SaveProblemsButton({ faulty }: { faulty: Faulty<unknown> }) {
  const text = useText()
  const columns = [text('tableImport.rowColumn'), text('tableImport.problemColumn')] as const
  return (
    <Button
      size="small"
      color="inherit"
      startIcon={<DownloadRounded />}
      onClick={() => void saveProblems(faulty, columns)}
    >
      {text('tableImport.saveProblems')}
    </Button>
  )
}
