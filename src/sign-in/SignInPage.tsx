import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import { Suspense, useEffect, useState } from 'react'
import { type Control, Controller, useForm, useWatch } from 'react-hook-form'

import type { SecondFactorData } from '#contract/sessions/schema.ts'
import { lockout } from '#providers/i18n/second-factor.ts'
import { signIn as texts } from '#providers/i18n/sign-in.ts'
import { useSession } from '#providers/session.ts'
import { storage } from '#providers/storage.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { entryState, go } from '#src/kit/browser/location.ts'
import { FormTextField } from '#src/kit/form/FormTextField.tsx'
import { PasswordInput } from '#src/kit/form/PasswordInput.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { CardFooter } from '#src/kit/layout/CardFooter.tsx'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'
import { useSecondsUntil } from '#src/kit/time/Countdown.tsx'
import { Lockout } from '#src/kit/feedback/Lockout.tsx'

import { LegalLinks } from './LegalLinks.tsx'
import { PublicForm } from './PublicForm.tsx'
import { PublicLink } from './PublicLink.tsx'
import type { SignInResult } from './queries.ts'

const REMEMBERED = 'muster.email'

const loadQueries = () => import('./queries.ts')
const loadSecondFactor = () => import('./SecondFactor.tsx')
const SecondFactor = lazy(async () => ({ default: (await loadSecondFactor()).SecondFactor }))

interface Values {
  email: string
  password: string
  remember: boolean
}
type Refusal = Extract<SignInResult, { kind: 'refused' | 'locked' }>

/** The form of step 1, and step 2 if a second factor is required. */
function useSignIn() {
  const { organisation } = useSession()
  const remembered = storage.read(REMEMBERED) ?? ''
  const form = useForm<Values>({
    defaultValues: { email: remembered, password: '', remember: remembered !== '' },
  })
  const [refusal, setRefusal] = useState<Refusal>()
  const [pending, setPending] = useState<SecondFactorData>()
  const [overdue, setOverdue] = useState(false)

  const { busy, submit } = useSubmitOnce(
    form.handleSubmit(async ({ email, password, remember }) => {
      const { next } = entryState()
      const { signIn } = await loadQueries()
      const result = await signIn({ email, password, enterpriseCode: organisation?.code ?? '' })
      setOverdue(false)
      if (result.kind === 'refused' || result.kind === 'locked') {
        setRefusal(result)
        return form.setFocus('password')
      }
      setRefusal(undefined)
      storage.write(REMEMBERED, remember ? email.trim() : null)
      if (result.kind === 'in') return go(next ?? '/', { replace: true })
      return setPending(result.pending)
    }),
    () => setRefusal({ kind: 'refused', message: texts.unexpected }),
  )
  useEffect(() => void loadQueries(), [])
  /** Returns to the form with an empty password. */
  const restart = (isOverdue: boolean) => {
    setPending(undefined)
    form.setValue('password', '')
    setOverdue(isOverdue)
  }
  return { form, busy, submit, refusal, pending, overdue, restart }
}

const ENDED = { expired: texts.expired, throttled: texts.throttled, left: undefined }

/** The reason for the sign-in page, or for a refused attempt. */
function Notice({ refusal, overdue }: { refusal: Refusal | undefined; overdue: boolean }) {
  const { ending } = useSession()
  if (refusal?.kind === 'refused') return <Alert severity="error">{refusal.message}</Alert>
  if (refusal)
    return <Lockout key={refusal.until} until={refusal.until} wait={lockout.wait} over={lockout.over} />
  const note = overdue ? texts.overdue : ending && ENDED[ending]
  if (!note) return null
  return (
    <Alert severity="info" role="status">
      {note}
    </Alert>
  )
}

/** Email and password (foundation §2 "Login screen flow"). */
export function SignInPage() {
  const { organisation } = useSession()
  const { form, busy, submit, refusal, pending, overdue, restart } = useSignIn()
  const { errors } = form.formState
  const email = useWatch({ control: form.control, name: 'email' })
  const lockedUntil = refusal?.kind === 'locked' ? refusal.until : 0
  const locked = useSecondsUntil(lockedUntil) > 0

  if (pending)
    return (
      <Suspense>
        <SecondFactor
          pending={pending}
          email={email.trim()}
          onCancel={() => restart(false)}
          onExpired={() => restart(true)}
        />
      </Suspense>
    )
  return (
    <StandalonePage
      title={texts.title}
      product={texts.product}
      organisation={organisation?.config.displayName}
      foot={<LegalLinks />}
    >
      <Typography variant="h1" gutterBottom>
        {texts.title}
      </Typography>
      <PublicForm
        onSubmit={submit}
        onInput={() => void loadSecondFactor()}
        busy={busy}
        blocked={locked}
        label={texts.submit}
        busyLabel={texts.submitting}
      >
        <Notice refusal={refusal} overdue={overdue} />
        <FormTextField
          label={texts.email}
          type="email"
          field={form.register('email', {
            validate: async (typed) => (await loadQueries()).emailProblem(typed),
          })}
          problem={errors.email?.message}
          autoFocus={email === ''}
          autoComplete="username"
          inputProps={{ required: true }}
        />
        <PasswordInput
          label={texts.password}
          field={form.register('password', {
            validate: async (typed) => (await loadQueries()).passwordProblem(typed),
          })}
          problem={errors.password?.message}
          autoFocus={email !== ''}
          autoComplete="current-password"
        />
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            justifyContent: 'space-between',
            gap: '8px 16px',
          }}
        >
          <RememberEmail control={form.control} />
          <PublicLink to="/forgot" state={{ email }}>
            {texts.forgotPassword}
          </PublicLink>
        </Box>
      </PublicForm>
      <CardFooter>
        <span>
          {texts.organization} <strong>{organisation?.code}</strong>
        </span>
        <PublicLink to="/setup" state={{ change: true }}>
          {texts.changeOrganization}
        </PublicLink>
      </CardFooter>
    </StandalonePage>
  )
}

const RememberEmail = ({ control }: { control: Control<Values> }) => (
  <Controller
    name="remember"
    control={control}
    render={({ field: { value, ...field } }) => (
      <FormControlLabel
        control={<Checkbox {...field} size="small" checked={value} />}
        label={texts.rememberEmail}
        sx={{ mr: 0 }}
      />
    )}
  />
)
