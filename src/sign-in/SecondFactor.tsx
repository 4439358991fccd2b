import { useState } from 'react'

import type { SecondFactorData, SessionData } from '#contract/sessions/schema.ts'
import { secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { signIn } from '#providers/i18n/sign-in.ts'
import { beginSession, useSession } from '#providers/session.ts'
import { entryState, go } from '#src/kit/browser/location.ts'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'
import { StepHeading } from '#src/kit/layout/StepHeading.tsx'
import { RecoveryCodes } from '#src/shared/RecoveryCodes.tsx'

import { SignInAppStep, SignInEmailStep } from './SignInCodeStep.tsx'
import { EnrolmentStep } from './EnrolmentStep.tsx'

/** Width of the card where a QR code stands beside its explanation. */
const ENROLMENT_WIDTH = 496
const CODES_LABELS = { copy: texts.copyCodes, download: texts.download, done: texts.continue }

interface Props {
  pending: SecondFactorData
  /** The address that is signing in. */
  email: string
  onCancel: () => void
  onExpired: () => void
}

/**
 * Step 2 of sign-in (foundation §2 "Login screen flow"). Its state is kept in memory only: a reload starts again with the
 * password.
 */
export function SecondFactor({ pending: initial, email, onCancel, onExpired }: Props) {
  const { organisation } = useSession()
  const page = { product: signIn.product, organisation: organisation?.config.displayName }
  const [pending, setPending] = useState(initial)
  const [complete, setComplete] = useState<SessionData>()
  const enter = (data: SessionData) => {
    const { next } = entryState()
    beginSession(data)
    go(next ?? '/', { replace: true })
  }
  // The session begins only after the recovery codes: they cannot be shown again.
  const onDone = (data: SessionData) => (data.recoveryCodes?.length ? setComplete(data) : enter(data))
  const step = { pending, onDone, onCancel, onExpired }

  if (complete)
    return (
      <StandalonePage title={texts.codesTitle} {...page}>
        <StepHeading>{texts.codesTitle}</StepHeading>
        <Lead>{texts.codesText}</Lead>
        <RecoveryCodes
          variant="page"
          codes={complete.recoveryCodes ?? []}
          email={complete.user.email}
          labels={CODES_LABELS}
          onSaved={() => enter(complete)}
        />
      </StandalonePage>
    )
  if (!pending.initialized)
    return (
      <StandalonePage title={texts.enrolTitle} {...page} width={ENROLMENT_WIDTH}>
        <EnrolmentStep {...step} onEnrolled={() => setPending({ ...pending, initialized: true })} />
      </StandalonePage>
    )
  return (
    <StandalonePage title={texts.title} {...page}>
      {pending.secondFactorType === 'EMAIL' ? (
        <SignInEmailStep {...step} email={email} />
      ) : (
        <SignInAppStep {...step} />
      )}
    </StandalonePage>
  )
}
