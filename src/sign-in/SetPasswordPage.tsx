import { useRef, useState } from 'react'

import { PASSWORDS_MATCH, passwordProblem } from '#contract/sessions/rules.ts'
import { setPassword as texts } from '#providers/i18n/set-password.ts'
import { signIn } from '#providers/i18n/sign-in.ts'
import { go } from '#src/kit/browser/location.ts'
import { PlainForm } from '#src/kit/layout/PlainForm.tsx'
import { PlainPage } from '#src/kit/layout/PlainPage.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { passwordChecks, PasswordChecklist } from '#src/shared/PasswordChecklist.tsx'

import { PasswordField } from './PasswordField.tsx'
import type { PasswordLink, SetPasswordResult } from './queries.ts'

const loadQueries = () => import('./queries.ts')

/** The page behind a mailed link (foundation §2 "External set-password page"). */
export function SetPasswordPage({ link }: { link: PasswordLink }) {
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [left, setLeft] = useState({ password: false, confirmation: false })
  const [result, setResult] = useState<SetPasswordResult>()
  const confirmField = useRef<HTMLInputElement>(null)

  // Said once a field was left: nobody who is still typing has done anything wrong.
  const problem = password === '' ? texts.newRequired : passwordProblem(password)
  const mismatch =
    confirmation === '' ? texts.confirmRequired : confirmation === password ? undefined : PASSWORDS_MATCH
  const ready = passwordChecks(password, confirmation).every(({ holds }) => holds)
  const { busy, submit } = useSubmitOnce(async () => {
    const answer = await loadQueries().then(
      (queries) => queries.setPassword(link, password),
      (): SetPasswordResult => ({ kind: 'refused', message: texts.unexpected }),
    )
    setResult(answer)
  })

  if (result?.kind === 'done' || result?.kind === 'expired') return <Outcome result={result} />
  return (
    <PlainPage title={texts.title} product={signIn.product}>
      <h1>{texts.title}</h1>
      <PlainForm
        onSubmit={submit}
        onInput={() => void loadQueries()}
        busy={busy}
        blocked={!ready}
        label={busy ? texts.submitting : texts.submit}
      >
        {result && (
          <div className="plain-note" data-tone="error" role="alert">
            <span>
              <strong>{texts.failedTitle}</strong> {result.message}
            </span>
          </div>
        )}
        <PasswordField
          label={texts.newPassword}
          name="new-password"
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          onBlur={() => setLeft((known) => ({ ...known, password: true }))}
          problem={left.password ? problem : undefined}
          required
          autoFocus
        />
        <PasswordField
          label={texts.confirmPassword}
          name="confirm-password"
          autoComplete="new-password"
          value={confirmation}
          onChange={(event) => setConfirmation(event.target.value)}
          onBlur={() => setLeft((known) => ({ ...known, confirmation: true }))}
          problem={left.confirmation ? mismatch : undefined}
          inputRef={confirmField}
          required
        />
        <PasswordChecklist password={password} confirmation={confirmation} />
      </PlainForm>
    </PlainPage>
  )
}

function Outcome({ result }: { result: SetPasswordResult }) {
  const done = result.kind === 'done'
  return (
    <PlainPage title={texts.title} product={signIn.product}>
      <div role={done ? 'status' : 'alert'}>
        <h1>{done ? texts.doneTitle : texts.failedTitle}</h1>
        <p className="plain-lead">{done ? texts.doneText : `${texts.expired} ${texts.advice}`}</p>
      </div>
      <div className="plain-next">
        <button type="button" className="plain-button" onClick={() => go('/login', { replace: true })}>
          {texts.signIn}
        </button>
      </div>
    </PlainPage>
  )
}
