import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useNotify } from 'react-admin'
import { useEffect, useId, useState } from 'react'
import { type UseFormRegisterReturn, useForm, useWatch } from 'react-hook-form'

import { SOMETHING_WENT_WRONG } from '#contract/kit/text.ts'
import { PASSWORDS_MATCH, passwordProblem } from '#contract/sessions/rules.ts'
import { lockedUntil } from '#providers/lockout.ts'
import { HttpProblem, messageOf, statusOf } from '#providers/problem.ts'
import { useSession } from '#providers/session.ts'
import { PasswordInput } from '#src/kit/form/PasswordInput.tsx'
import { Countdown, useSecondsUntil } from '#src/kit/time/Countdown.tsx'
import { useText } from '#src/kit/useText.ts'
import { PasswordChecklist } from '#src/sign-in/PasswordChecklist.tsx'
import { TwoFactorDialog } from '#src/verifications/TwoFactorDialog.tsx'
import { needsVerification } from '#src/verifications/needsVerification.ts'

import { AccountDialog } from './AccountDialog.tsx'
import { changePassword } from './queries.ts'

const EMPTY = { currentPassword: '', password: '', confirmation: '' }

/** The proof of identity that the server asks for beside the session. */
type Proof = 'none' | 'password' | 'code'

/** The fields, their rules, and the call that changes the password. */
function usePasswordForm(onChanged: () => void) {
  const text = useText()
  const notify = useNotify()
  const [proof, setProof] = useState<Proof>('none')
  const [until, setUntil] = useState(0)
  const [problem, setProblem] = useState<string>()
  const form = useForm({ defaultValues: EMPTY })
  const { register, handleSubmit, getValues, setError, setFocus, trigger, formState } = form
  const locked = useSecondsUntil(until) > 0

  useEffect(() => {
    if (proof === 'password') setFocus('currentPassword')
  }, [proof, setFocus])

  const fields = {
    current: register('currentPassword', {
      validate: (value) =>
        proof === 'password' && value === '' ? text('account.password.currentRequired') : undefined,
    }),
    password: register('password', {
      validate: (value) => (value === '' ? text('account.password.newRequired') : passwordProblem(value)),
      // After the first submit, a change of the password validates the confirmation again.
      onChange: () =>
        formState.isSubmitted && getValues('confirmation') !== '' && void trigger('confirmation'),
    }),
    confirmation: register('confirmation', {
      validate: (value) => {
        if (value === '') return text('account.password.confirmRequired')
        return value === getValues('password') ? undefined : PASSWORDS_MATCH
      },
    }),
  }

  const refuse = (error: unknown) => {
    const lockout = lockedUntil(error)
    if (needsVerification(error)) return setProof('password')
    if (lockout !== undefined) return setUntil(lockout)
    if (statusOf(error) !== 400) return setProblem(SOMETHING_WENT_WRONG)
    const atCurrent = error instanceof HttpProblem && error.body.errors?.['currentPassword'] !== undefined
    setError(
      atCurrent ? 'currentPassword' : 'password',
      { message: messageOf(error, SOMETHING_WENT_WRONG) },
      { shouldFocus: true },
    )
  }
  const save = handleSubmit(async ({ currentPassword, password }) => {
    setProblem(undefined)
    try {
      await changePassword(proof === 'password' ? { password, currentPassword } : { password })
      notify(text('account.password.changed'), { type: 'success' })
      onChanged()
    } catch (error) {
      refuse(error)
    }
  })
  const lockout = until > 0 && locked ? until : undefined
  return { form, fields, proof, setProof, problem, lockout, save }
}

/** Asks for the current password, or for a code instead. */
function ProofFields(props: {
  field: UseFormRegisterReturn
  problem: string | undefined
  onUseCode: () => void
}) {
  const text = useText()
  return (
    <>
      <Alert severity="info">{text('account.password.proof')}</Alert>
      <Box sx={{ display: 'grid', justifyItems: 'start', gap: 1 }}>
        <Box sx={{ display: 'grid', width: '100%' }}>
          <PasswordInput
            label={text('account.password.current')}
            field={props.field}
            problem={props.problem}
            autoComplete="current-password"
          />
        </Box>
        <Button size="small" onClick={props.onUseCode}>
          {text('account.password.useCode')}
        </Button>
      </Box>
    </>
  )
}

/**
 * Sets a new password for the signed-in person. Where one is `required`, the only other way is to sign out.
 */
export function PasswordDialog({
  required = false,
  onClose,
  onChanged = onClose,
}: {
  required?: boolean
  onClose: () => void
  onChanged?: () => void
}) {
  const text = useText()
  const formId = useId()
  const email = useSession().user?.email
  const { form, fields, proof, setProof, problem, lockout, save } = usePasswordForm(onChanged)
  const { errors, isDirty, isSubmitting } = form.formState
  const [password, confirmation] = useWatch({ control: form.control, name: ['password', 'confirmation'] })
  const submit = () => void save()
  return (
    <AccountDialog
      title={text('account.changePassword')}
      {...(required && { closeLabel: text('account.agreement.logout') })}
      dirty={isDirty}
      busy={isSubmitting}
      problem={
        lockout === undefined ? (
          problem
        ) : (
          <Countdown until={lockout} text={text('verifications.attemptAfter')} />
        )
      }
      onClose={onClose}
      action={
        <Button
          type="submit"
          form={formId}
          variant="contained"
          loading={isSubmitting}
          disabled={lockout !== undefined}
        >
          {text('account.changePassword')}
        </Button>
      }
    >
      <Box
        component="form"
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (lockout === undefined) submit()
        }}
        sx={{ display: 'grid', gap: 2.5 }}
      >
        {required && <Alert severity="info">{text('account.password.required')}</Alert>}
        {/* Password managers store the password for this user name. */}
        <input type="text" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
        {proof !== 'none' && (
          <ProofFields
            field={fields.current}
            problem={errors.currentPassword?.message}
            onUseCode={() => setProof('code')}
          />
        )}
        <PasswordInput
          label={text('account.password.new')}
          field={fields.password}
          problem={errors.password?.message}
          autoFocus
        />
        <PasswordInput
          label={text('account.password.confirm')}
          field={fields.confirmation}
          problem={errors.confirmation?.message}
        />
        <PasswordChecklist password={password} confirmation={confirmation} />
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {text('account.password.others')}
        </Typography>
      </Box>
      {proof === 'code' && (
        <TwoFactorDialog
          onVerified={() => {
            setProof('none')
            submit()
          }}
          onClose={() => setProof('password')}
        />
      )}
    </AccountDialog>
  )
}
