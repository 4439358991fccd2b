import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'

import { CODE_LENGTH, RECOVERY_CODE_LENGTH } from '#contract/sessions/schema.ts'
import { secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { keepFocus } from '#src/kit/form/keepFocus.ts'
import { CardFooter } from '#src/kit/layout/CardFooter.tsx'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { Countdown, useSecondsUntil } from '#src/kit/time/Countdown.tsx'

import { ResendRow } from './ResendRow.tsx'
import { SignInCodeForm, type StepProps } from './SignInCodeForm.tsx'

const timeOf = (timestamp: string | null): number => (timestamp === null ? 0 : Date.parse(timestamp))

const Heading = ({ children }: { children: string }) => (
  <Typography variant="h1" gutterBottom>
    {children}
  </Typography>
)

/** The second step with an emailed code. */
export function SignInEmailStep({ email, ...step }: StepProps & { email: string }) {
  const lead = useId()
  const [expiry, setExpiry] = useState(step.pending)
  const [sent, setSent] = useState(0)
  return (
    <>
      <Heading>{texts.title}</Heading>
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
        pending={step.pending}
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

/** The second step with an authenticator app, or with one of the recovery codes. */
export function SignInAppStep(step: StepProps) {
  const lead = useId()
  const [recovery, setRecovery] = useState(false)
  const words = recovery
    ? { title: texts.recoveryTitle, lead: texts.recoveryText, question: texts.hasApp, other: texts.takeApp }
    : { title: texts.title, lead: texts.totpText, question: texts.noPhone, other: texts.takeRecovery }
  return (
    <>
      <Heading>{words.title}</Heading>
      <Lead id={lead}>{words.lead}</Lead>
      <SignInCodeForm
        key={String(recovery)}
        {...step}
        label={recovery ? texts.recoveryCode : texts.totpCode}
        length={recovery ? RECOVERY_CODE_LENGTH : CODE_LENGTH.TOTP}
        incomplete={texts.totpIncomplete}
        submit={texts.submit}
        describedBy={lead}
        autoComplete={recovery ? 'off' : 'one-time-code'}
        autoFocus
      />
      <CardFooter>
        <span>{words.question}</span>
        <Link component="button" type="button" onMouseDown={keepFocus} onClick={() => setRecovery(!recovery)}>
          {words.other}
        </Link>
      </CardFooter>
    </>
  )
}
