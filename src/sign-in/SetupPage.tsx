import { useRef, useState } from 'react'

import { signIn as texts } from '#providers/i18n/sign-in.ts'
import { useSession } from '#providers/session.ts'
import { go } from '#src/kit/browser/location.ts'
import { PlainField } from '#src/kit/layout/PlainField.tsx'
import { PlainForm } from '#src/kit/layout/PlainForm.tsx'
import { PlainLink } from '#src/kit/layout/PlainLink.tsx'
import { PlainPage } from '#src/kit/layout/PlainPage.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'

import { LegalLinks } from './LegalLinks.tsx'

const loadQueries = () => import('./queries.ts')

/** Organisation setup: one code, looked up in the registry. */
export function SetupPage() {
  const field = useRef<HTMLInputElement>(null)
  const { organisation } = useSession()
  const [typed, setTyped] = useState(organisation?.code ?? '')
  const [problem, setProblem] = useState<string>()

  const { busy, submit } = useSubmitOnce(async () => {
    const wrong = await loadQueries().then(
      ({ setUp }) => setUp(typed),
      () => texts.unexpected,
    )
    setProblem(wrong)
    if (wrong === undefined) go('/login')
    else field.current?.focus()
  })

  return (
    <PlainPage title={texts.setupTitle} product={texts.product} foot={<LegalLinks />}>
      <h1>{texts.setupTitle}</h1>
      <p className="plain-lead">{texts.setupText}</p>
      <PlainForm
        onSubmit={submit}
        onInput={() => void loadQueries()}
        busy={busy}
        label={busy ? texts.connecting : texts.continue}
      >
        <PlainField
          label={texts.organizationCode}
          name="organization"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          problem={problem}
          inputRef={field}
          required
          autoFocus
          autoComplete="organization"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
      </PlainForm>
      <p className="plain-facts">
        <PlainLink to="/forgot-org-code">{texts.forgotOrganization}</PlainLink>
      </p>
    </PlainPage>
  )
}
