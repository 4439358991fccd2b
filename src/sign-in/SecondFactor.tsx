import type { SecondFactorData, SessionData } from '#contract/sessions/schema.ts'
import { secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { signIn } from '#providers/i18n/sign-in.ts'
import { beginSession, useSession } from '#providers/session.ts'
import { entryState, go } from '#src/kit/browser/location.ts'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'
import { AuthenticatorSignIn } from '#src/verifications/second-factor/AuthenticatorSignIn.tsx'

import { beginEnrolment, confirmCode } from './queries.ts'
import { SignInEmailStep } from './SignInEmailStep.tsx'

interface Props {
  pending: SecondFactorData
  /** Address of the account. */
  email: string
  onCancel: () => void
  onExpired: () => void
}

function enter(data: SessionData) {
  const { next } = entryState()
  beginSession(data)
  go(next ?? '/', { replace: true })
}

/** Step 2 of sign-in (foundation §2 "Login screen flow"). Kept in memory only: a reload starts again with the password. */
export function SecondFactor({ pending, ...props }: Props) {
  const { organisation } = useSession()
  const page = { product: signIn.product, organisation: organisation?.config.displayName }
  const confirm = (code: string, enrols: boolean) => confirmCode(pending, code, enrols)
  if (pending.secondFactorType === 'EMAIL')
    return (
      <StandalonePage title={texts.title} {...page}>
        <SignInEmailStep
          {...props}
          pending={pending}
          confirm={(code) => confirm(code, false)}
          onDone={enter}
        />
      </StandalonePage>
    )
  return (
    <AuthenticatorSignIn
      {...props}
      page={page}
      initialized={pending.initialized}
      enrolLead={texts.enrolText}
      beginEnrolment={() => beginEnrolment(pending)}
      confirm={confirm}
      onEnter={enter}
    />
  )
}
