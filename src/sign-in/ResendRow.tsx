import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { useState } from 'react'

import type { CodeExpiry, SecondFactorData } from '#contract/sessions/schema.ts'
import { secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { keepFocus } from '#src/kit/form/keepFocus.ts'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { CardFooter } from '#src/kit/layout/CardFooter.tsx'
import { Countdown, useSecondsUntil } from '#src/kit/time/Countdown.tsx'

import { resendCode } from './queries.ts'

interface Props {
  pending: SecondFactorData
  /** Time from which another code may be requested, in milliseconds of the server's clock. */
  from: number
  onSent: (expiry: CodeExpiry) => void
  onExpired: () => void
}

/** Requests another code, once that is allowed. */
export function ResendRow({ pending, from, onSent, onExpired }: Props) {
  const [lockedUntil, setLockedUntil] = useState(0)
  const [outcome, setOutcome] = useState<'sent' | 'failed'>()
  const until = Math.max(from, lockedUntil)
  const waiting = useSecondsUntil(until) > 0
  const { busy, submit } = useSubmitOnce(async () => {
    setOutcome(undefined)
    const result = await resendCode(pending)
    if (result.kind === 'over') return onExpired()
    if (result.kind === 'locked') return setLockedUntil(result.until)
    setOutcome(result.kind)
    if (result.kind === 'sent') onSent(result.expiry)
    return undefined
  })
  return (
    <CardFooter>
      <span>{texts.nothingArrived}</span>
      <span>
        <Link
          component="button"
          type="button"
          disabled={waiting}
          aria-disabled={busy || waiting}
          onMouseDown={keepFocus}
          onClick={(event) => event.detail < 2 && submit()}
          sx={{
            verticalAlign: 'baseline',
            '&:disabled': { color: 'text.secondary', textDecoration: 'none', cursor: 'default' },
          }}
        >
          {busy ? texts.resending : texts.resend}
        </Link>{' '}
        {waiting && (
          <Box component="span" sx={{ color: 'text.secondary' }}>
            <Countdown until={until} text={texts.resendIn} />
          </Box>
        )}
      </span>
      {/* A live region must exist before its text to be announced. */}
      <Box role="status" sx={{ flexBasis: '100%', '&:empty': { display: 'none' } }}>
        {outcome === 'sent' && texts.resent}
      </Box>
      {outcome === 'failed' && (
        <Alert severity="error" sx={{ flexBasis: '100%' }}>
          {texts.resendFailed}
        </Alert>
      )}
    </CardFooter>
  )
}
