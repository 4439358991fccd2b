import { type FormEvent, useRef, useState } from 'react'

import { signIn as texts } from '#providers/i18n/sign-in.ts'
import { useSession } from '#providers/session.ts'
import { storage } from '#providers/storage.ts'
import { entryState, go } from '#src/kit/location.ts'
import { PlainField } from '#src/kit/PlainField.tsx'
import { PlainLink } from '#src/kit/PlainLink.tsx'
import { PlainPage } from '#src/kit/PlainPage.tsx'
import { useSubmitOnce } from '#src/kit/useSubmitOnce.ts'

import { PasswordField } from './PasswordField.tsx'
import type { SignInProblems } from './queries.ts'

const REMEMBERED = 'muster.email'

const loadQueries = () => import('./queries.ts')

/** Email and password (foundation §2 "Login screen flow"). */
export function SignInPage({ onFirstKeystroke }: { onFirstKeystroke: () => void }) {
  const emailField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const { organisation, ending } = useSession()
  const [email, setEmail] = useState(storage.read(REMEMBERED) ?? '')
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(email !== '')
  const [problems, setProblems] = useState<SignInProblems>({})

  const { busy, submit } = useSubmitOnce(async () => {
    const { next } = entryState()
    const wrong = await loadQueries().then(
      ({ signIn }) => signIn({ email, password, enterpriseCode: organisation?.code ?? '' }),
      (): SignInProblems => ({ form: texts.unexpected }),
    )
    setProblems(wrong ?? {})
    if (wrong) return (wrong.email === undefined ? passwordField : emailField).current?.focus()
    storage.write(REMEMBERED, remember ? email.trim() : null)
    return go(next ?? '/', { replace: true })
  })
  const onInput = () => {
    onFirstKeystroke()
    void loadQueries()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
  }
  const note = ending === 'expired' ? texts.expired : ending === 'throttled' ? texts.throttled : undefined

  return (
    <PlainPage title={texts.title} product={texts.product}>
      <h1>{texts.title}</h1>
      <form onSubmit={onSubmit} onInput={onInput} noValidate>
        {note && !problems.form && <output className="plain-note">{note}</output>}
        {problems.form && (
          <p className="plain-note" data-tone="error" role="alert">
            {problems.form}
          </p>
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
        <label className="check">
          <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.target.checked)} />
          {texts.rememberEmail}
        </label>
        <button type="submit" className="plain-button" aria-disabled={busy}>
          {busy ? texts.submitting : texts.submit}
        </button>
      </form>
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
