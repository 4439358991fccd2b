import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'

import { IMPORT_HEADINGS, IMPORT_ROWS_MAX } from '#contract/user-import/schema.ts'
import { FileDrop } from '#src/kit/FileDrop.tsx'
import { saveFile } from '#src/kit/saveFile.ts'
import { useText } from '#src/kit/useText.ts'

import type { Refused, UsersFile } from './readUsersCsv.ts'

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
  if (sentences.length === 1) return <Alert severity="error">{only}</Alert>
  return (
    <Alert severity="error">
      <Box component="ul" sx={{ m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
        {sentences.slice(0, SENTENCES).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </Box>
      {sentences.length > SENTENCES && (
        <AlertTitle sx={{ mt: 1, mb: 0 }}>
          {text('userImport.moreProblems', { smart_count: sentences.length - SENTENCES })}
        </AlertTitle>
      )}
    </Alert>
  )
}

interface Props {
  file: UsersFile | undefined
  refused: Refused | undefined
  busy: boolean
  onChoose: (file: File) => void
}

/** The first step: the file, or what is wrong with it. */
export function ChooseStep({ file, refused, busy, onChoose }: Props) {
  const text = useText()
  const saveTemplate = () =>
    saveFile(
      new Blob([`\uFEFF${IMPORT_HEADINGS.join(',')}\r\n`], { type: 'text/csv;charset=utf-8' }),
      text('userImport.templateName'),
    )
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <FileDrop
        label="userImport.field"
        text="userImport.drop"
        dropText="userImport.dropNow"
        button={file || refused ? 'userImport.another' : 'userImport.choose'}
        accept=".csv,text/csv"
        isWrong={refused !== undefined}
        onChoose={([chosen]) => chosen && onChoose(chosen)}
      >
        {text('userImport.rules', { count: IMPORT_ROWS_MAX })}
      </FileDrop>
      <div>
        <Box role="status" aria-live="polite">
          {busy && (
            <>
              <LinearProgress aria-hidden sx={{ mb: 1 }} />
              {text('userImport.reading')}
            </>
          )}
          {file && (
            <Alert severity="success">
              {text('userImport.chosen', { name: file.name, smart_count: file.users.length })}
            </Alert>
          )}
        </Box>
        {refused && <Problems refused={refused} />}
      </div>
      <Box>
        <Button size="small" startIcon={<DownloadRounded />} onClick={saveTemplate}>
          {text('userImport.template')}
        </Button>
      </Box>
    </Box>
  )
}
