import { lazy, Suspense, useRef, useState } from 'react'

import type { SecondFactorData } from '#contract/sessions/schema.ts'
import { signIn as texts } from '#providers/i18n/sign-in.ts'
import { useSession } from '#providers/session.ts'
import { storage } from '#providers/storage.ts'
import { entryState, go } from '#src/kit/browser/location.ts'
import { PlainField } from '#src/kit/layout/PlainField.tsx'
import { PlainForm } from '#src/kit/layout/PlainForm.tsx'
import { PlainLink } from '#src/kit/layout/PlainLink.tsx'
import { PlainPage } from '#src/kit/layout/PlainPage.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'

import { LegalLinks } from './LegalLinks.tsx'
import { PasswordField } from './PasswordField.tsx'
import type { SignInProblems, SignInResult } from './queries.ts'

const REMEMBERED = 'muster.email'

const loadQueries = () => import('./queries.ts')
const loadSecondFactor = () => import('./SecondFactor.tsx')
// What most visits never see loads when it is asked for.
const SecondFactor = lazy(async () => ({ default: (await loadSecondFactor()).SecondFactor }))
const Lockout = lazy(async () => ({ default: (await loadSecondFactor()).Lockout }))

/** Email and password (foundation §2 "Login screen flow"). */
export function SignInPage({ onFirstKeystroke }: { onFirstKeystroke: () => void }) {
  const emailField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const { organisation, ending } = useSession()
  const [email, setEmail] = useState(storage.read(REMEMBERED) ?? '')
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(email !== '')
  const [problems, setProblems] = useState<SignInProblems>({})
  const [locked, setLocked] = useState(false)
  const [pending, setPending] = useState<SecondFactorData>()
  const [overdue, setOverdue] = useState(false)

  const { busy, submit } = useSubmitOnce(async () => {
    const { next } = entryState()
    const result = await loadQueries()
      .then(async ({ signIn }) => {
        const answer = await signIn({ email, password, enterpriseCode: organisation?.code ?? '' })
        if (answer.kind === 'pending') await loadSecondFactor()
        return answer
      })
      .catch((): SignInResult => ({ kind: 'refused', problems: { form: texts.unexpected } }))
    const wrong = result.kind === 'refused' ? result.problems : {}
    setProblems(wrong)
    setLocked(wrong.lockedUntil !== undefined)
    setOverdue(false)
    if (result.kind === 'refused')
      return (wrong.email === undefined ? passwordField : emailField).current?.focus()
    storage.write(REMEMBERED, remember ? email.trim() : null)
    if (result.kind === 'in') return go(next ?? '/', { replace: true })
    return setPending(result.pending)
  })
  /** Back to the form: the password is asked for again. */
  const beginAgain = (isOverdue: boolean) => {
    setPending(undefined)
    setPassword('')
    setOverdue(isOverdue)
  }
  const onInput = () => {
    onFirstKeystroke()
    void loadQueries()
  }
  const ended = ending === 'expired' ? texts.expired : ending === 'throttled' ? texts.throttled : undefined
  const note = overdue ? texts.overdue : ended

  if (pending)
    return (
      <Suspense>
        <SecondFactor
          pending={pending}
          email={email.trim()}
          onCancel={() => beginAgain(false)}
          onExpired={() => beginAgain(true)}
        />
      </Suspense>
    )
  return (
    <PlainPage title={texts.title} product={texts.product} foot={<LegalLinks />}>
      <h1>{texts.title}</h1>
      <PlainForm
        onSubmit={submit}
        onInput={onInput}
        busy={busy}
        blocked={locked}
        label={busy ? texts.submitting : texts.submit}
      >
        {note && !problems.form && !problems.lockedUntil && <output className="plain-note">{note}</output>}
        {problems.form && (
          <p className="plain-note" data-tone="error" role="alert">
            {problems.form}
          </p>
        )}
        {problems.lockedUntil && (
          <Suspense>
            <Lockout
              key={problems.lockedUntil}
              until={problems.lockedUntil}
              onOver={() => setLocked(false)}
            />
          </Suspense>
        )}
        <PlainField
          label={texts.email}
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          problem={problems.email}
          inputRef={emailField}
          required
          autoFocus={email === ''}
        />
        <PasswordField
          label={texts.password}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          problem={problems.password}
          inputRef={passwordField}
          required
          autoFocus={email !== ''}
        />
        <div className="plain-line">
          <label className="check">
            <input
              type="checkbox"
              checked={remember}
              onChange={(event) => setRemember(event.target.checked)}
            />
            {texts.rememberEmail}
          </label>
          <PlainLink to="/forgot" state={{ email }}>
            {texts.forgotPassword}
          </PlainLink>
        </div>
      </PlainForm>
      <p className="plain-facts">
        <span>
          {texts.organization} <strong>{organisation?.code}</strong>
        </span>
        <PlainLink to="/setup" state={{ change: true }}>
          {texts.changeOrganization}
        </PlainLink>
      </p>
    </PlainPage>
  )
}
