import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { type FormEvent, useCallback, useState } from 'react'

import { useText } from '#src/kit/useText.ts'

import { PdfPages } from './PdfPages.tsx'
import { openPdf } from './pdfValues.ts'
import { PreviewState } from './PreviewState.tsx'
import { type Load, usePreviewed } from './usePreviewed.ts'

interface Question {
  readonly isWrong: boolean
  readonly answer: (password: string) => void
}

/** Asks for the password of a protected file. It goes to the worker and nowhere else. */
function PasswordForm({ isWrong, answer }: Question) {
  const text = useText()
  const [password, setPassword] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password !== '') answer(password)
  }
  return (
    <Box
      component="form"
      onSubmit={submit}
      sx={{ m: 'auto', p: 2, width: 'min(400px, 100%)', display: 'grid', gap: 2 }}
    >
      {text('filePreview.passwordNeeded')}
      <TextField
        autoFocus
        type="password"
        label={text('filePreview.password')}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={isWrong}
        helperText={isWrong ? text('filePreview.passwordWrong') : ' '}
        slotProps={{ htmlInput: { autoComplete: 'off', 'data-1p-ignore': true } }}
      />
      <Button type="submit" variant="contained" disabled={password === ''} sx={{ justifySelf: 'end' }}>
        {text('filePreview.passwordOpen')}
      </Button>
    </Box>
  )
}

/** A PDF, after its password where it has one. */
export function PdfPreview({ load }: { load: Load }) {
  const [question, ask] = useState<Question>()
  const read = useCallback(
    (content: Blob, signal: AbortSignal) =>
      openPdf(content, {
        signal,
        askPassword: (isWrong) =>
          new Promise((resolve) =>
            ask({
              isWrong,
              answer: (password) => {
                ask(undefined)
                resolve(password)
              },
            }),
          ),
      }),
    [],
  )
  const state = usePreviewed(load, read)
  if (state.status === 'ready') return <PdfPages pdf={state.value} />
  if (state.status === 'loading' && question) return <PasswordForm {...question} />
  return <PreviewState state={state} />
}
