import { useState } from 'react'

import type { CodeExpiry, SecondFactorData } from '#contract/sessions/schema.ts'
import { secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { Countdown, useSecondsUntil } from '#src/kit/time/Countdown.tsx'
import { keepFocus } from '#src/kit/form/keepFocus.ts'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'

import type { ResendResult } from './queries.ts'

interface Props {
  pending: SecondFactorData
  /** From when another code may be asked for, by the server's clock in milliseconds. */
  from: number
  onSent: (expiry: CodeExpiry) => void
  onExpired: () => void
}

/** Asks for another code, once it may be asked for. */
export function ResendRow({ pending, from, onSent, onExpired }: Props) {
  const [lockedUntil, setLockedUntil] = useState(0)
  const [said, setSaid] = useState<'sent' | 'failed'>()
  const until = Math.max(from, lockedUntil)
  const waiting = useSecondsUntil(until) > 0
  const { busy, submit } = useSubmitOnce(async () => {
    setSaid(undefined)
    const result = await import('./queries.ts').then(
      ({ resendCode }) => resendCode(pending),
      (): ResendResult => ({ kind: 'failed' }),
    )
    if (result.kind === 'over') return onExpired()
    if (result.kind === 'locked') return setLockedUntil(result.until)
    setSaid(result.kind)
    if (result.kind === 'sent') onSent(result.expiry)
    return undefined
  })
  return (
    <div className="plain-facts">
      <span>{texts.nothingArrived}</span>
      <span>
        <button
          type="button"
          className="plain-link"
          disabled={waiting}
          aria-disabled={busy || waiting}
          onMouseDown={keepFocus}
          onClick={(event) => event.detail < 2 && submit()}
        >
          {busy ? texts.resending : texts.resend}
        </button>{' '}
        {waiting && <Countdown until={until} text={texts.resendIn} />}
      </span>
      <output className="plain-said">{said === 'sent' && texts.resent}</output>
      {said === 'failed' && (
        <p className="plain-said" data-tone="error" role="alert">
          {texts.resendFailed}
        </p>
      )}
    </div>
  )
}
