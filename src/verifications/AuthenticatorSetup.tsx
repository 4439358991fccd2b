import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

import { CODE_LENGTH, type Enrolment } from '#contract/sessions/schema.ts'
import type { Verified } from '#contract/verifications/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { AuthenticatorSteps } from './AuthenticatorSteps.tsx'
import { VerificationCodeForm } from './VerificationCodeForm.tsx'

interface Props {
  enrolment: Enrolment
  /** The reason for the setup, above its steps. */
  lead?: string
  onVerified: (verified: Verified) => void
  onOverdue?: () => void
  onCancel: () => void
}

/** Sets up an authenticator app for a signed-in person. Fills a dialog. */
export function AuthenticatorSetup({ enrolment, lead, ...form }: Props) {
  const text = useText()
  const inSteps = (field: ReactNode) => (
    <>
      {lead && <Typography sx={{ color: 'text.secondary' }}>{lead}</Typography>}
      <AuthenticatorSteps enrolment={enrolment}>{field}</AuthenticatorSteps>
    </>
  )
  return (
    <VerificationCodeForm
      {...form}
      enrols
      label={text('verifications.appCode')}
      length={CODE_LENGTH.TOTP}
      around={inSteps}
    />
  )
}
