import { useRef, useState } from 'react'

import { forgot } from '#providers/i18n/forgot.ts'
import { signIn } from '#providers/i18n/sign-in.ts'
import { useSession } from '#providers/session.ts'
import { entryState } from '#src/kit/browser/location.ts'
import { PlainField } from '#src/kit/layout/PlainField.tsx'
import { PlainForm } from '#src/kit/layout/PlainForm.tsx'
import { PlainLink } from '#src/kit/layout/PlainLink.tsx'
import { PlainPage } from '#src/kit/layout/PlainPage.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'

import { Lockout } from './Lockout.tsx'
import type { ReminderResult } from './queries.ts'
import { StepHeading } from './StepHeading.tsx'

const loadQueries = () => import('./queries.ts')

/** Sends a mail to whoever forgot the password, or the code of the organisation (foundation §2). */
export function ForgotPage({ what }: { what: 'password' | 'organization' }) {
  const texts = forgot[what]
  const { organisation } = useSession()
  const field = useRef<HTMLInputElement>(null)
  const [email, setEmail] = useState(entryState().email ?? '')
  const [result, setResult] = useState<ReminderResult>()
  const [locked, setLocked] = useState(false)

  const { busy, submit } = useSubmitOnce(async () => {
    const answer = await loadQueries().then(
      ({ remindOfPassword, remindOfOrganisation }) =>
        what === 'password' ? remindOfPassword(email, organisation?.code ?? '') : remindOfOrganisation(email),
      (): ReminderResult => ({ kind: 'refused', message: forgot.unexpected }),
    )
    setResult(answer)
    setLocked(answer.kind === 'locked')
    if (answer.kind !== 'sent') field.current?.focus()
  })

  const back = (
    <p className="plain-facts">
      <PlainLink {...(what === 'password' ? { to: '/login' } : { to: '/setup', state: { change: true } })}>
        {texts.back}
      </PlainLink>
    </p>
  )
  if (result?.kind === 'sent')
    return (
      <PlainPage title={forgot.sentTitle} product={signIn.product}>
        <StepHeading>{forgot.sentTitle}</StepHeading>
        <p className="plain-lead">
          {forgot.sentTo} <strong>{result.email}</strong>
          {texts.sent}
        </p>
        <p className="plain-lead">{forgot.spam}</p>
        <p className="plain-next">
          <button
            type="button"
            className="plain-link"
            onClick={() => {
              setEmail(result.email)
              setResult(undefined)
            }}
          >
            {forgot.again}
          </button>
        </p>
        {back}
      </PlainPage>
    )
  return (
    <PlainPage title={texts.title} product={signIn.product}>
      <h1>{texts.title}</h1>
      <p className="plain-lead">{texts.text}</p>
      <PlainForm
        onSubmit={submit}
        onInput={() => void loadQueries()}
        busy={busy}
        blocked={locked}
        label={busy ? forgot.submitting : texts.submit}
      >
        {result?.kind === 'locked' && (
          <Lockout key={result.until} until={result.until} onOver={() => setLocked(false)} />
        )}
        {result?.kind === 'refused' && result.message && (
          <p className="plain-note" data-tone="error" role="alert">
            {result.message}
          </p>
        )}
        <PlainField
          label={forgot.email}
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          problem={result?.kind === 'refused' ? result.problem : undefined}
          inputRef={field}
          required
          autoFocus
        />
      </PlainForm>
      {back}
    </PlainPage>
  )
}
