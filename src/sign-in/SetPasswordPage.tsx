import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useEffect, useEffectEvent, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'

import { PASSWORDS_MATCH, passwordProblem } from '#contract/sessions/rules.ts'
import { setPassword as texts } from '#providers/i18n/set-password.ts'
import { signIn } from '#providers/i18n/sign-in.ts'
import { useSession } from '#providers/session.ts'
import { go } from '#src/kit/browser/location.ts'
import { PasswordInput } from '#src/kit/form/PasswordInput.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'
import { passwordChecks, PasswordChecklist } from './PasswordChecklist.tsx'
import type { PasswordLink } from './publicRoutes.ts'

import { PublicForm } from './PublicForm.tsx'
import type { SetPasswordResult } from './queries.ts'

const loadQueries = () => import('./queries.ts')

/** The two fields, each validated on blur and from then on at every change. */
function usePasswordFields() {
  const form = useForm({ mode: 'onTouched', defaultValues: { password: '', confirmation: '' } })
  const { register, trigger, getValues, control } = form
  const { touchedFields } = form.formState
  const [password, confirmation] = useWatch({ control, name: ['password', 'confirmation'] })
  const fields = {
    password: register('password', {
      validate: (value) => (value === '' ? texts.newRequired : passwordProblem(value)),
      onChange: () => touchedFields.confirmation === true && void trigger('confirmation'),
    }),
    confirmation: register('confirmation', {
      validate: (value) => {
        if (value === '') return texts.confirmRequired
        return value === getValues('password') ? undefined : PASSWORDS_MATCH
      },
    }),
  }
  return { form, fields, password, confirmation }
}

/** Name of the link's organisation, once loaded. */
function useOrganisationName(link: PasswordLink): string | undefined {
  const [name, setName] = useState<string>()
  useEffect(() => {
    let here = true
    void loadQueries()
      .then(({ organisationName }) => organisationName(link))
      .then((found) => here && setName(found))
    return () => {
      here = false
    }
  }, [link])
  return name
}

/** Reports an expired link on opening, before somebody types a password. */
function useExpiry(link: PasswordLink, onExpired: () => void) {
  const report = useEffectEvent(onExpired)
  useEffect(() => {
    let here = true
    void loadQueries()
      .then(({ isExpired }) => isExpired(link))
      // If this check fails, setting the password will report the reason.
      .catch(() => false)
      .then((expired) => here && expired && report())
    return () => {
      here = false
    }
  }, [link])
}

/** The page behind a mailed link (foundation §2 "External set-password page"). */
export function SetPasswordPage({ link }: { link: PasswordLink }) {
  const [result, setResult] = useState<SetPasswordResult>()
  const { form, fields, password, confirmation } = usePasswordFields()
  const { errors } = form.formState
  const ready = passwordChecks(password, confirmation).every(({ holds }) => holds)
  const { busy, submit } = useSubmitOnce(
    form.handleSubmit(async (values) => {
      const { setPassword } = await loadQueries()
      setResult(await setPassword(link, values.password))
    }),
    () => setResult({ kind: 'refused', message: texts.unexpected }),
  )
  const organisation = useOrganisationName(link)
  useExpiry(link, () => setResult((known) => known ?? { kind: 'over' }))

  if (result && result.kind !== 'refused') return <Outcome result={result} link={link} name={organisation} />
  return (
    <StandalonePage title={texts.title} product={signIn.product} organisation={organisation}>
      <Typography variant="h1" gutterBottom>
        {texts.title}
      </Typography>
      <PublicForm
        onSubmit={submit}
        busy={busy}
        blocked={!ready}
        label={texts.submit}
        busyLabel={texts.submitting}
      >
        {result && (
          <Alert severity="error">
            <strong>{texts.failedTitle}</strong> {result.message}
          </Alert>
        )}
        {/* Password managers store the password for this user name. */}
        <input type="text" name="username" autoComplete="username" value={link.email} readOnly hidden />
        <PasswordInput
          label={texts.newPassword}
          field={fields.password}
          problem={errors.password?.message}
          autoFocus
        />
        <PasswordInput
          label={texts.confirmPassword}
          field={fields.confirmation}
          problem={errors.confirmation?.message}
        />
        <PasswordChecklist password={password} confirmation={confirmation} />
      </PublicForm>
    </StandalonePage>
  )
}

const TITLES = { done: texts.doneTitle, expired: texts.failedTitle, over: texts.overTitle } as const
interface OutcomeProps {
  result: { kind: keyof typeof TITLES }
  link: PasswordLink
  name: string | undefined
}
function Outcome({ result, link, name }: OutcomeProps) {
  const done = result.kind === 'done'
  const { organisation } = useSession()
  // A mail can be requested for this browser's organisation; another one has to be set up first.
  const isHere = organisation?.code === link.code
  const again = () =>
    isHere
      ? go('/forgot', { replace: true, state: { email: link.email } })
      : go('/setup', { replace: true, state: { change: true } })
  return (
    <StandalonePage title={texts.title} product={signIn.product} organisation={name}>
      <div role={done ? 'status' : 'alert'}>
        <Typography variant="h1" gutterBottom>
          {TITLES[result.kind]}
        </Typography>
        <Lead>{done ? texts.doneText : `${texts.expired} ${texts.advice}`}</Lead>
      </div>
      <Button
        variant="contained"
        size="large"
        fullWidth
        onClick={() => go('/login', { replace: true })}
        sx={{ mt: 3 }}
      >
        {texts.signIn}
      </Button>
      {!done && (
        <Button variant="outlined" size="large" fullWidth onClick={again} sx={{ mt: 1.5 }}>
          {texts.another}
        </Button>
      )}
    </StandalonePage>
  )
}
