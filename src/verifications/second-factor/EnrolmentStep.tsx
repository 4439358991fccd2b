import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'

import { CODE_LENGTH, type Enrolment } from '#contract/sessions/schema.ts'
import { secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { StepHeading } from '#src/kit/layout/StepHeading.tsx'
import { AuthenticatorSteps } from '../AuthenticatorSteps.tsx'
import { FormFrame } from '#src/kit/form/FormFrame.tsx'

import type { EnrolmentResult } from './results.ts'
import { SignInCodeForm, type StepProps } from './SignInCodeForm.tsx'

interface Props<Session> extends StepProps<Session> {
  /** Introduction, which names who requires the second step. */
  lead: string
  begin: () => Promise<EnrolmentResult>
  onEnrolled: () => void
}

/** Sets up an authenticator app at the first sign-in that requires one. */
export function EnrolmentStep<Session>({ lead, begin, onEnrolled, ...step }: Props<Session>) {
  const { onCancel, onExpired } = step
  const [enrolment, setEnrolment] = useState<Enrolment | 'loading' | 'failed'>('loading')
  const settle = useEffectEvent((result: EnrolmentResult) => {
    if (result.kind === 'enrolled') return onEnrolled()
    if (result.kind === 'over') return onExpired()
    return setEnrolment(result.kind === 'ready' ? result.enrolment : 'failed')
  })
  const load = useEffectEvent(() => begin().then(settle))
  useEffect(() => {
    if (enrolment === 'loading') void load()
  }, [enrolment])

  const inSteps = (field: ReactNode) => (
    <AuthenticatorSteps enrolment={typeof enrolment === 'string' ? undefined : enrolment}>
      {field}
    </AuthenticatorSteps>
  )
  return (
    <>
      <StepHeading>{texts.enrolTitle}</StepHeading>
      <Lead>{lead}</Lead>
      {enrolment === 'failed' ? (
        <NotLoaded onRetry={() => setEnrolment('loading')} onCancel={onCancel} />
      ) : (
        <SignInCodeForm
          {...step}
          label={texts.totpCode}
          length={CODE_LENGTH.TOTP}
          incomplete={texts.totpIncomplete}
          submit={texts.verify}
          around={inSteps}
        />
      )}
    </>
  )
}

const NotLoaded = ({ onRetry, onCancel }: { onRetry: () => void; onCancel: () => void }) => (
  <FormFrame
    variant="page"
    onSubmit={onRetry}
    buttons={
      <>
        <Button variant="outlined" color="inherit" onClick={onCancel} sx={{ borderColor: 'background.edge' }}>
          {texts.cancel}
        </Button>
        <Button type="submit" variant="contained">
          {texts.retry}
        </Button>
      </>
    }
  >
    <Alert severity="error">{texts.notLoaded}</Alert>
  </FormFrame>
)
