import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'

import { CODE_LENGTH, RECOVERY_CODE_LENGTH } from '#contract/sessions/schema.ts'
import { secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { keepFocus } from '#src/kit/form/keepFocus.ts'
import { CardFooter } from '#src/kit/layout/CardFooter.tsx'
import { Lead } from '#src/kit/layout/Lead.tsx'

import { SignInCodeForm, type StepProps } from './SignInCodeForm.tsx'

/** The second step with an authenticator app or a recovery code. */
export function SignInAppStep<Session>(step: StepProps<Session>) {
  const lead = useId()
  const [recovery, setRecovery] = useState(false)
  const words = recovery
    ? { title: texts.recoveryTitle, lead: texts.recoveryText, question: texts.hasApp, other: texts.takeApp }
    : { title: texts.title, lead: texts.totpText, question: texts.noPhone, other: texts.takeRecovery }
  return (
    <>
      <Typography variant="h1" gutterBottom>
        {words.title}
      </Typography>
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
