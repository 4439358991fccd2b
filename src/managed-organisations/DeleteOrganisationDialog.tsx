import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import TextField from '@mui/material/TextField'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'

import { managedOrganisationsApi } from '#contract/managed-organisations/api.ts'
import {
  DELETE_NAME_DIFFERS,
  DELETE_NAME_REQUIRED,
  type ManagedOrganisation,
} from '#contract/managed-organisations/schema.ts'
import { call } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { useText } from '#src/kit/useText.ts'

import { useClosing } from './useClosing.ts'

const problemIn = (typed: string, name: string): string | undefined => {
  if (typed.trim() === '') return DELETE_NAME_REQUIRED
  return typed === name ? undefined : DELETE_NAME_DIFFERS
}

/** Deletes an organisation after its name was typed (administration §5). */
export function DeleteOrganisationDialog({
  record: { id, enterprise, hasHostedChat },
  onClose,
}: {
  record: ManagedOrganisation
  onClose: () => void
}) {
  const text = useText()
  const titleId = useId()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { isDone, done } = useClosing(onClose)
  const name = enterprise.displayName
  const remove = async (event: FormEvent) => {
    event.preventDefault()
    const wrong = problemIn(typed, name)
    setProblem(wrong)
    if (wrong || busy || isDone) return
    setBusy(true)
    setFailure(undefined)
    try {
      await call(managedOrganisationsApi.remove, { params: { id } })
      void queryClient.invalidateQueries({ queryKey: ['management/organizations'] })
      done()
    } catch (error) {
      setFailure(messageOf(error, text('management.organizations.failed')))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog open onClose={busy ? undefined : onClose} maxWidth="xs" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{text('management.organizations.removeTitle', { name })}</DialogTitle>
      <DialogContent>
        <Box
          component="form"
          id={`${titleId}-form`}
          noValidate
          onSubmit={(event: FormEvent) => void remove(event)}
        >
          <DialogContentText sx={{ mb: 2 }}>{text('management.organizations.removeText')}</DialogContentText>
          {hasHostedChat && (
            <Alert severity="warning" sx={{ mb: 2 }}>
              {text('management.organizations.hostedChatStays')}
            </Alert>
          )}
          <TextField
            autoFocus
            label={text('management.organizations.removeLabel')}
            placeholder={name}
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value)
              setProblem(undefined)
            }}
            error={problem !== undefined}
            helperText={problem}
            slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, dir: 'auto' } }}
          />
          {failure && (
            <Alert severity="error" sx={{ mt: 2 }}>
              {failure}
            </Alert>
          )}
          {isDone && (
            <Alert severity="success" sx={{ mt: 2 }}>
              {text('management.organizations.removed')}
            </Alert>
          )}
        </Box>
      </DialogContent>
      <DialogActions>
        <CancelButton onClick={onClose} disabled={busy} />
        <Button type="submit" form={`${titleId}-form`} variant="contained" color="error" loading={busy}>
          {text('management.organizations.remove')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
