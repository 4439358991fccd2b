import AddRounded from '@mui/icons-material/AddRounded'
import DeleteRounded from '@mui/icons-material/DeleteRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import TextField from '@mui/material/TextField'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useFieldArray, useForm } from 'react-hook-form'

import { managedOrganisationsApi } from '#contract/managed-organisations/api.ts'
import {
  API_KEY_REQUIRED,
  CREDENTIALS_MAX,
  SECRET_KEY_REQUIRED,
} from '#contract/managed-organisations/schema.ts'
import { call } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { useText } from '#src/kit/useText.ts'

import { useClosing } from './useClosing.ts'

const EMPTY = { publicKey: '', secretKey: '' }
const required = (message: string) => (value: string) => value.trim() !== '' || message

/** Adds API keys and secrets of the hosted chat service to the pool for new organisations. */
export function CredentialsDialog({ onClose }: { onClose: () => void }) {
  const text = useText()
  const titleId = useId()
  const queryClient = useQueryClient()
  const { control, register, handleSubmit, formState } = useForm({ defaultValues: { pairs: [EMPTY] } })
  const { fields, append, remove } = useFieldArray({ control, name: 'pairs' })
  const [failure, setFailure] = useState<string>()
  const { isDone, done } = useClosing(onClose)
  const { isSubmitting, errors } = formState
  const add = handleSubmit(async ({ pairs }) => {
    setFailure(undefined)
    try {
      await call(managedOrganisationsApi.addCredentials, { body: pairs })
      void queryClient.invalidateQueries({ queryKey: ['management/organizations', 'credentials'] })
      done()
    } catch (error) {
      setFailure(messageOf(error, text('management.organizations.failed')))
    }
  })
  const field = (index: number, name: 'publicKey' | 'secretKey', message: string) => {
    const { ref, ...props } = register(`pairs.${index}.${name}`, { validate: required(message) })
    const problem = errors.pairs?.[index]?.[name]?.message
    return (
      <TextField
        {...props}
        inputRef={ref}
        label={text(`management.organizations.credentials.${name}`)}
        error={problem !== undefined}
        helperText={problem}
        slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false } }}
      />
    )
  }
  return (
    <Dialog open onClose={isSubmitting ? undefined : onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{text('management.organizations.addCredentials')}</DialogTitle>
      <DialogContent>
        <Box
          component="form"
          id={`${titleId}-form`}
          noValidate
          onSubmit={(event: FormEvent) => void add(event)}
        >
          <DialogContentText sx={{ mb: 2 }}>
            {text('management.organizations.credentials.text')}
          </DialogContentText>
          {fields.map(({ id }, index) => (
            <Box
              key={id}
              role="group"
              aria-label={text('management.organizations.credentials.pair', { n: index + 1 })}
              sx={{
                display: 'grid',
                gridTemplateColumns: { xs: '1fr auto', sm: '1fr 1fr auto' },
                alignItems: 'start',
                gap: 1.5,
                mb: 2,
                '& > :nth-of-type(2)': { gridColumn: { xs: 1, sm: 'auto' } },
              }}
            >
              {field(index, 'publicKey', API_KEY_REQUIRED)}
              {field(index, 'secretKey', SECRET_KEY_REQUIRED)}
              <IconButton
                aria-label={text('management.organizations.credentials.remove', { n: index + 1 })}
                disabled={fields.length === 1}
                onClick={() => remove(index)}
                sx={{ mt: 3, gridColumn: { xs: 2, sm: 'auto' }, gridRow: { xs: 1, sm: 'auto' } }}
              >
                <DeleteRounded />
              </IconButton>
            </Box>
          ))}
          <Button
            startIcon={<AddRounded />}
            disabled={fields.length === CREDENTIALS_MAX}
            onClick={() => append(EMPTY)}
          >
            {text('management.organizations.credentials.another')}
          </Button>
          {failure && (
            <Alert severity="error" sx={{ mt: 2 }}>
              {failure}
            </Alert>
          )}
          {isDone && (
            <Alert severity="success" sx={{ mt: 2 }}>
              {text('management.organizations.credentials.added')}
            </Alert>
          )}
        </Box>
      </DialogContent>
      <DialogActions>
        <CancelButton onClick={onClose} disabled={isSubmitting} />
        <Button type="submit" form={`${titleId}-form`} variant="contained" loading={isSubmitting}>
          {text('management.organizations.credentials.submit')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
