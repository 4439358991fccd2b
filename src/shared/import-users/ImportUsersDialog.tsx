import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import LinearProgress from '@mui/material/LinearProgress'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useId, useRef, useState } from 'react'

import type { ImportResult, ImportRow } from '#contract/user-import/schema.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { PHONE } from '#src/kit/resourceLayout.ts'
import { useText } from '#src/kit/useText.ts'

import { ChooseStep, Problems } from './ChooseStep.tsx'
import { Outcome } from './Outcome.tsx'
import { type Allowance, PreviewStep } from './PreviewStep.tsx'
import { readUsersCsv, type Refused, type UsersFile } from './readUsersCsv.ts'

interface Props {
  /** Which names the organisation takes. */
  characters: string
  /** Whether an address belongs to somebody who is a user already. */
  isKnown: (email: string) => boolean
  allowance: Allowance | undefined
  /** Makes the call. */
  send: (rows: ImportRow[]) => Promise<ImportResult>
  onClose: () => void
}

/** Adds users from a file, in two steps: choosing it, and checking what will come of it (administration §2.1). */
export function ImportUsersDialog({ characters, isKnown, allowance, send, onClose }: Props) {
  const text = useText()
  const titleId = useId()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const latest = useRef<File>(null)
  const [step, setStep] = useState<1 | 2>(1)
  const [file, setFile] = useState<UsersFile>()
  const [refused, setRefused] = useState<Refused>()
  const [busy, setBusy] = useState(false)
  const [sends, setSends] = useState(true)
  const [result, setResult] = useState<ImportResult>()

  const choose = async (chosen: File) => {
    latest.current = chosen
    setFile(undefined)
    setRefused(undefined)
    setBusy(true)
    const read = await readUsersCsv(chosen, characters).catch((): Refused => ({ text: 'userImport.notRead' }))
    // Somebody chose another one meanwhile.
    if (latest.current !== chosen) return
    setBusy(false)
    if ('users' in read) setFile(read)
    else setRefused(read)
  }
  const goOn = () => {
    if (file) setStep(2)
    else if (!busy) setRefused(refused ?? { text: 'userImport.noFile' })
  }
  const goBack = () => {
    setRefused(undefined)
    setStep(1)
  }
  const submit = async (users: UsersFile) => {
    setBusy(true)
    setRefused(undefined)
    try {
      setResult(await send(users.rows.map((row) => ({ ...row, sendWelcomeSetPasswordEmail: sends }))))
    } catch (error) {
      const fields = new Set(error instanceof HttpProblem ? Object.values(error.body.fields ?? {}) : [])
      setRefused({ sentences: fields.size > 0 ? [...fields] : [messageOf(error, text('kit.wentWrong'))] })
    } finally {
      setBusy(false)
    }
  }

  const known = file ? file.users.filter(({ email }) => isKnown(email)).length : 0
  const importing = busy && step === 2
  const leave = () => {
    if (!importing) onClose()
  }
  const content = () => {
    if (result) return <Outcome result={result} />
    if (step === 1 || !file)
      return (
        <ChooseStep file={file} refused={refused} busy={busy} onChoose={(chosen) => void choose(chosen)} />
      )
    return (
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
        <PreviewStep file={file} known={known} allowance={allowance} sends={sends} onSends={setSends} />
        {refused && <Problems refused={refused} />}
        {importing && (
          <Box role="status">
            <LinearProgress aria-hidden sx={{ mb: 1 }} />
            {text('userImport.importing', { smart_count: file.users.length - known })}
          </Box>
        )}
      </Box>
    )
  }
  return (
    <Dialog
      open
      onClose={leave}
      fullScreen={phone}
      maxWidth={step === 2 && !result ? 'lg' : 'sm'}
      aria-labelledby={titleId}
    >
      <DialogTitle id={titleId}>
        {text('userImport.title')}
        {!result && (
          <Box
            component="span"
            sx={{ display: 'block', fontSize: '0.875rem', fontWeight: 400, color: 'text.secondary' }}
          >
            {text('userImport.step', {
              step,
              name: text(step === 1 ? 'userImport.chooseStep' : 'userImport.previewStep'),
            })}
          </Box>
        )}
      </DialogTitle>
      <DialogContent dividers>{content()}</DialogContent>
      <DialogActions sx={{ pt: 2 }}>
        {result ? (
          <Button variant="contained" onClick={onClose}>
            {text('grid.done')}
          </Button>
        ) : (
          <>
            {step === 2 && (
              <Button color="inherit" disabled={importing} onClick={goBack} sx={{ mr: 'auto' }}>
                {text('userImport.back')}
              </Button>
            )}
            <Button color="inherit" disabled={importing} onClick={leave}>
              {text('kit.cancel')}
            </Button>
            {step === 1 || !file ? (
              <Button variant="contained" onClick={goOn}>
                {text('userImport.continue')}
              </Button>
            ) : (
              <Button
                variant="contained"
                loading={importing}
                disabled={known === file.users.length}
                onClick={() => void submit(file)}
              >
                {file.users.length > known
                  ? text('userImport.submit', { smart_count: file.users.length - known })
                  : text('userImport.open')}
              </Button>
            )}
          </>
        )}
      </DialogActions>
    </Dialog>
  )
}
