import { type ComponentProps, useState } from 'react'

import { secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'
import { StepHeading } from '#src/kit/layout/StepHeading.tsx'

import { RecoveryCodes } from '../RecoveryCodes.tsx'
import { EnrolmentStep } from './EnrolmentStep.tsx'
import type { CodeResult, EnrolmentResult } from './results.ts'
import { SignInAppStep } from './SignInAppStep.tsx'

/** Width in pixels of the card with a QR code beside its explanation. */
const ENROLMENT_WIDTH = 496
const CODES_LABELS = { copy: texts.copyCodes, download: texts.download, done: texts.continue }

interface Props<Session> {
  page: Pick<ComponentProps<typeof StandalonePage>, 'product' | 'organisation'>
  /** Address of the account. */
  email: string
  /** True if an authenticator app is enrolled; otherwise one is set up first. */
  initialized: boolean
  /** Introduction of the enrolment, which names who requires it. */
  enrolLead: string
  beginEnrolment: () => Promise<EnrolmentResult>
  confirm: (code: string, enrols: boolean) => Promise<CodeResult<Session>>
  /** Begins the session of a completed sign-in. */
  onEnter: (data: Session) => void
  onCancel: () => void
  /** Called when the sign-in has expired and starts again. */
  onExpired: () => void
}

/** The step of a sign-in that asks for a code of an authenticator app, or sets one up. */
export function AuthenticatorSignIn<Session extends { readonly recoveryCodes?: string[] | undefined }>({
  page,
  email,
  enrolLead,
  beginEnrolment,
  confirm,
  onEnter,
  ...props
}: Props<Session>) {
  const [initialized, setInitialized] = useState(props.initialized)
  const [complete, setComplete] = useState<Session>()
  // The session begins only after the recovery codes, which cannot be shown again.
  const onDone = (data: Session) => (data.recoveryCodes?.length ? setComplete(data) : onEnter(data))
  const step = {
    confirm: (code: string) => confirm(code, !initialized),
    onDone,
    onCancel: props.onCancel,
    onExpired: props.onExpired,
  }

  if (complete)
    return (
      <StandalonePage title={texts.codesTitle} {...page}>
        <StepHeading>{texts.codesTitle}</StepHeading>
        <Lead>{texts.codesText}</Lead>
        <RecoveryCodes
          variant="page"
          codes={complete.recoveryCodes ?? []}
          email={email}
          labels={CODES_LABELS}
          onSaved={() => onEnter(complete)}
        />
      </StandalonePage>
    )
  if (!initialized)
    return (
      <StandalonePage title={texts.enrolTitle} {...page} width={ENROLMENT_WIDTH}>
        <EnrolmentStep
          {...step}
          lead={enrolLead}
          begin={beginEnrolment}
          onEnrolled={() => setInitialized(true)}
        />
      </StandalonePage>
    )
  return (
    <StandalonePage title={texts.title} {...page}>
      <SignInAppStep {...step} />
    </StandalonePage>
  )
}
