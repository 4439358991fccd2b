import { type ReactNode, useId, useState } from 'react'

import { CODE_LENGTH, RECOVERY_CODE_LENGTH } from '#contract/sessions/schema.ts'
import { secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { Countdown, useSecondsUntil } from '#src/kit/time/Countdown.tsx'
import { keepFocus } from '#src/kit/form/keepFocus.ts'

import { CodeForm, type StepProps } from './CodeForm.tsx'
import { ResendRow } from './ResendRow.tsx'

const timeOf = (timestamp: string | null): number => (timestamp === null ? 0 : Date.parse(timestamp))

/** The second step with an emailed code. */
export function EmailStep({ email, ...step }: StepProps & { email: string }) {
  const lead = useId()
  const [expiry, setExpiry] = useState(step.pending)
  const [sent, setSent] = useState(0)
  return (
    <>
      <h1>{texts.title}</h1>
      <p className="plain-lead" id={lead}>
        {texts.emailText} <strong>{email}</strong>.
      </p>
      <CodeForm
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

/** The second step with an authenticator app, or with one of the codes that were saved for the day it is gone. */
export function AppStep(step: StepProps) {
  const lead = useId()
  const [recovery, setRecovery] = useState(false)
  const words = recovery
    ? { title: texts.recoveryTitle, lead: texts.recoveryText, ask: texts.hasApp, other: texts.takeApp }
    : { title: texts.title, lead: texts.totpText, ask: texts.noPhone, other: texts.takeRecovery }
  return (
    <>
      <h1>{words.title}</h1>
      <p className="plain-lead" id={lead}>
        {words.lead}
      </p>
      <CodeForm
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
      <Row ask={words.ask}>
        <button
          type="button"
          className="plain-link"
          onMouseDown={keepFocus}
          onClick={() => setRecovery(!recovery)}
        >
          {words.other}
        </button>
      </Row>
    </>
  )
}

const Row = ({ ask, children }: { ask: string; children: ReactNode }) => (
  <p className="plain-facts">
    <span>{ask}</span>
    {children}
  </p>
)
