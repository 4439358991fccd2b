import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useNotify } from 'ra-core'
import { useId, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'

import { SOMETHING_WENT_WRONG } from '#contract/kit/text.ts'
import { PASSWORDS_MATCH, passwordProblem } from '#contract/sessions/rules.ts'
import { messageOf, statusOf } from '#providers/problem.ts'
import { useSession } from '#providers/session.ts'
import { useText } from '#src/kit/useText.ts'
import { PasswordChecklist } from '#src/shared/PasswordChecklist.tsx'

import { AccountDialog } from './AccountDialog.tsx'
import { PasswordInput } from './PasswordInput.tsx'
import { changePassword } from './queries.ts'

const EMPTY = { password: '', confirmation: '' }

/** Sets a new password for the signed-in person. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const text = useText()
  const notify = useNotify()
  const formId = useId()
  const email = useSession().user?.email
  const [problem, setProblem] = useState<string>()
  const { control, register, handleSubmit, getValues, setError, trigger, formState } = useForm({
    defaultValues: EMPTY,
  })
  const { errors, isDirty, isSubmitting, isSubmitted } = formState
  const [password, confirmation] = useWatch({ control, name: ['password', 'confirmation'] })

  const newField = register('password', {
    validate: (value) => (value === '' ? text('account.password.newRequired') : passwordProblem(value)),
    // Whether both are the same is decided anew where it was said that they are not.
    onChange: () => isSubmitted && getValues('confirmation') !== '' && void trigger('confirmation'),
  })
  const confirmField = register('confirmation', {
    validate: (value) => {
      if (value === '') return text('account.password.confirmRequired')
      return value === getValues('password') ? undefined : PASSWORDS_MATCH
    },
  })
  const save = async () => {
    setProblem(undefined)
    try {
      await changePassword(password)
      notify(text('account.password.changed'), { type: 'success' })
      onClose()
    } catch (error) {
      const sentence = messageOf(error, SOMETHING_WENT_WRONG)
      if (statusOf(error) === 400) setError('password', { message: sentence }, { shouldFocus: true })
      else setProblem(SOMETHING_WENT_WRONG)
    }
  }
  return (
    <AccountDialog
      title={text('account.changePassword')}
      dirty={isDirty}
      busy={isSubmitting}
      problem={problem}
      onClose={onClose}
      action={
        <Button type="submit" form={formId} variant="contained" loading={isSubmitting}>
          {text('account.changePassword')}
        </Button>
      }
    >
      <Box
        component="form"
        id={formId}
        noValidate
        onSubmit={(event) => void handleSubmit(save)(event)}
        sx={{ display: 'grid', gap: 2.5 }}
      >
        {/* Password managers want to know whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
        <PasswordInput
          label={text('account.password.new')}
          field={newField}
          problem={errors.password?.message}
          autoFocus
        />
        <PasswordInput
          label={text('account.password.confirm')}
          field={confirmField}
          problem={errors.confirmation?.message}
        />
        <PasswordChecklist password={password} confirmation={confirmation} />
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {text('account.password.others')}
        </Typography>
      </Box>
    </AccountDialog>
  )
}
