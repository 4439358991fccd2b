import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'

import { CODE_LENGTH, type SecondFactorData, type SessionData } from '#contract/sessions/schema.ts'
import { secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { Countdown, useSecondsUntil } from '#src/kit/time/Countdown.tsx'

import { SignInCodeForm, type StepProps } from '#src/verifications/second-factor/SignInCodeForm.tsx'

import { ResendRow } from './ResendRow.tsx'

const timeOf = (timestamp: string | null): number => (timestamp === null ? 0 : Date.parse(timestamp))

/** The second step with an emailed code. */
export function SignInEmailStep({
  email,
  pending,
  ...step
}: StepProps<SessionData> & { email: string; pending: SecondFactorData }) {
  const lead = useId()
  const [expiry, setExpiry] = useState(pending)
  const [sent, setSent] = useState(0)
  return (
    <>
      <Typography variant="h1" gutterBottom>
        {texts.title}
      </Typography>
      <Lead id={lead}>
        {texts.emailText} <strong>{email}</strong>.
      </Lead>
      <SignInCodeForm
        {...step}
        round={sent}
        label={texts.emailCode}
        length={CODE_LENGTH.EMAIL}
        incomplete={texts.emailIncomplete}
        submit={texts.submit}
        describedBy={lead}
        help={<Expiry until={timeOf(expiry.confirmationCodeExpiryTimestamp)} />}
        autoFocus
      />
      <ResendRow
        pending={pending}
        from={timeOf(expiry.newConfirmationCodeExpiryTimestamp)}
        onSent={(fresh) => {
          setExpiry({ ...expiry, ...fresh })
          setSent(sent + 1)
        }}
        onExpired={step.onExpired}
      />
    </>
  )
}

function Expiry({ until }: { until: number }) {
  const over = useSecondsUntil(until) === 0
  if (until === 0) return null
  return over ? texts.expired : <Countdown until={until} text={texts.expiresIn} />
}
