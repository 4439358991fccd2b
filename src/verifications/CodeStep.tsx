import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId, useState } from 'react'

import { CODE_LENGTH, RECOVERY_CODE_LENGTH } from '#contract/sessions/schema.ts'
import type { Verified } from '#contract/verifications/schema.ts'
import { lockedUntil } from '#providers/lockout.ts'
import { useSession } from '#providers/session.ts'
import { Countdown, useSecondsUntil } from '#src/kit/time/Countdown.tsx'
import { keepFocus } from '#src/kit/form/keepFocus.ts'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'

import { Lockout } from '#src/kit/feedback/Lockout.tsx'
import { VerificationCodeForm } from './VerificationCodeForm.tsx'
import { type Begun, requestCode } from './verification.ts'

interface Props {
  onVerified: (verified: Verified) => void
  onCancel: () => void
}
const timeOf = (timestamp: string | null): number => (timestamp === null ? 0 : Date.parse(timestamp))

/** Verifies with an emailed code, which can be requested again. */
export function EmailStep({ begun, ...form }: Props & { begun: Begun & { kind: 'code' } }) {
  const text = useText()
  const leadId = useId()
  const email = useSession().user?.email ?? ''
  const [expires, setExpires] = useState(timeOf(begun.verification.confirmationCodeExpiryTimestamp))
  const [asked, setAsked] = useState({ round: 0, said: '', failed: false })
  const [requestAfter, setRequestAfter] = useState(begun.requestAfter ?? 0)
  const waiting = useSecondsUntil(requestAfter) > 0
  const isMailed = begun.requestAfter === undefined || asked.round > 0

  const { busy, submit: request } = useSubmitOnce(async () => {
    setRequestAfter(0)
    setAsked({ ...asked, said: '', failed: false })
    try {
      const { confirmationCodeExpiryTimestamp } = await requestCode()
      setExpires(timeOf(confirmationCodeExpiryTimestamp))
      const said = text(isMailed ? 'verifications.requested' : 'verifications.requestedFirst')
      setAsked({ round: asked.round + 1, said, failed: false })
    } catch (error) {
      const until = lockedUntil(error)
      if (until === undefined) setAsked({ ...asked, said: '', failed: true })
      else setRequestAfter(until)
    }
  })
  const around = (field: ReactNode) => (
    <>
      <Typography id={leadId} sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {text(isMailed ? 'verifications.emailText' : 'verifications.noCodeText', { email })}
      </Typography>
      {field}
      {requestAfter > 0 && (
        <Lockout
          until={requestAfter}
          wait={text('verifications.requestAfter')}
          over={text('verifications.requestNow')}
        />
      )}
      {asked.said && (
        <Alert key={asked.round} severity="success">
          {asked.said}
        </Alert>
      )}
      {asked.failed && <Alert severity="error">{text('kit.wentWrong')}</Alert>}
    </>
  )
  return (
    <VerificationCodeForm
      {...form}
      round={asked.round}
      label={text('verifications.emailCode')}
      length={CODE_LENGTH.EMAIL}
      describedBy={leadId}
      help={expires > 0 && <Expiry until={expires} />}
      autoFocus
      aside={
        <Button disabled={waiting} loading={busy} onMouseDown={keepFocus} onClick={request}>
          {text('verifications.requestNew')}
        </Button>
      }
      around={around}
    />
  )
}

function Expiry({ until }: { until: number }) {
  const text = useText()
  if (useSecondsUntil(until) === 0) return text('verifications.expired')
  return <Countdown until={until} text={text('verifications.expiresIn')} />
}

/** Verifies with an authenticator app or a recovery code. */
export function AppStep(form: Props) {
  const text = useText()
  const leadId = useId()
  const [recovery, setRecovery] = useState(false)
  const around = (field: ReactNode) => (
    <>
      <Typography id={leadId} sx={{ color: 'text.secondary' }}>
        {text(recovery ? 'verifications.recoveryText' : 'verifications.appText')}
      </Typography>
      {field}
    </>
  )
  return (
    <VerificationCodeForm
      key={String(recovery)}
      {...form}
      label={text(recovery ? 'verifications.recoveryCode' : 'verifications.appCode')}
      length={recovery ? RECOVERY_CODE_LENGTH : CODE_LENGTH.TOTP}
      describedBy={leadId}
      autoComplete={recovery ? 'off' : 'one-time-code'}
      autoFocus
      aside={
        <Button onMouseDown={keepFocus} onClick={() => setRecovery(!recovery)}>
          {text(recovery ? 'verifications.takeApp' : 'verifications.takeRecovery')}
        </Button>
      }
      around={around}
    />
  )
}
