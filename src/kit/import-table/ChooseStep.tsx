import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import type { ReactNode } from 'react'

import { FileDrop } from '../form/FileDrop.tsx'
import { saveFile } from '../browser/saveFile.ts'
import { useText } from '../useText.ts'

import { FaultyFile } from './FaultyFile.tsx'
import { Problems } from './Problems.tsx'
import type { Faulty, Refused } from './faulty.ts'

/** An empty file with headings, to fill in. */
export interface Template {
  readonly name: string
  readonly headings: readonly string[]
}
interface Props {
  /** True if another file was chosen before. */
  again: boolean
  /** Message about the chosen file. */
  chosen: string | undefined
  /** Name of the latest file. */
  name: string
  refused: Refused | undefined
  /** Rows with errors. */
  faulty: Faulty<object> | undefined
  /** Help about the errors of the file. */
  help: ReactNode
  /** Id of the error, for the description of the blocked button. */
  problemId: string
  busy: boolean
  /** Requirements for a file. */
  rules: string
  template: Template
  onChoose: (file: File) => void
  /** Imports the file without the faulty rows. */
  onGoOnWithout: () => void
}

/** The first step: choosing a file, with its errors. */
export function ChooseStep({ again, chosen, name, refused, faulty, busy, rules, ...props }: Props) {
  const { template, problemId, onChoose, onGoOnWithout } = props
  const text = useText()
  const saveTemplate = () =>
    saveFile(
      new Blob([`\uFEFF${template.headings.join(',')}\r\n`], { type: 'text/csv;charset=utf-8' }),
      template.name,
    )
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <FileDrop
        label="tableImport.field"
        text="tableImport.drop"
        dropText="tableImport.dropNow"
        button={again ? 'tableImport.another' : 'tableImport.choose'}
        accept=".csv,.tsv,.tab,.txt,.xlsx,.xlsm,.xls,text/csv,text/tab-separated-values,text/plain"
        isWrong={refused !== undefined || faulty !== undefined}
        onChoose={([file]) => file && onChoose(file)}
      >
        {rules}
      </FileDrop>
      <div>
        <Box role="status" aria-live="polite">
          {busy && (
            <>
              <LinearProgress aria-hidden sx={{ mb: 1 }} />
              {text('tableImport.reading')}
            </>
          )}
          {chosen !== undefined && (
            <Alert severity="success" sx={{ overflowWrap: 'anywhere' }}>
              {chosen}
            </Alert>
          )}
        </Box>
        <div id={problemId}>
          {refused && <Problems refused={refused} name={name} />}
          {faulty && <FaultyFile faulty={faulty} help={props.help} onGoOn={onGoOnWithout} />}
        </div>
      </div>
      <Box>
        <Button size="small" startIcon={<DownloadRounded />} onClick={saveTemplate}>
          {text('tableImport.template')}
        </Button>
      </Box>
    </Box>
  )
}
