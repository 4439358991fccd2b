import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { type ReactNode, useState } from 'react'

import { CODE_LENGTH, type Enrolment } from '#contract/sessions/schema.ts'
import type { Verified } from '#contract/verifications/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { CodeForm } from './CodeForm.tsx'
import { CopyButton } from './CopyButton.tsx'

interface Props {
  enrolment: Enrolment
  /** Why it is set up, before the steps. */
  lead?: string
  onVerified: (verified: Verified) => void
  onOverdue?: () => void
  onCancel: () => void
}

/** Sets an authenticator app up: the secret first, then a code that proves that the app has it. Fills a dialog. */
export function AuthenticatorSetup({ enrolment, lead, ...form }: Props) {
  const text = useText()
  const inSteps = (field: ReactNode) => (
    <>
      {lead && <Typography sx={{ color: 'text.secondary' }}>{lead}</Typography>}
      <Box
        component="ol"
        sx={{ display: 'grid', gap: 2.5, m: 0, p: 0, listStyle: 'none', counterReset: 'step' }}
      >
        <Step>{text('verifications.install')}</Step>
        <Step>
          {text('verifications.scan')}
          <Key enrolment={enrolment} />
        </Step>
        <Step>
          {text('verifications.enterCode')}
          <Box sx={{ mt: 1.5 }}>{field}</Box>
        </Step>
      </Box>
    </>
  )
  return (
    <CodeForm
      {...form}
      enrols
      label={text('verifications.appCode')}
      length={CODE_LENGTH.TOTP}
      around={inSteps}
    />
  )
}

const Step = ({ children }: { children: ReactNode }) => (
  <Box
    component="li"
    sx={{
      position: 'relative',
      minHeight: 24,
      pl: { xs: 4, sm: 5 },
      counterIncrement: 'step',
      '&::before': {
        content: 'counter(step)',
        position: 'absolute',
        top: -1,
        left: 0,
        display: 'grid',
        placeItems: 'center',
        width: 24,
        height: 24,
        border: 1,
        borderColor: 'primary.main',
        borderRadius: '50%',
        fontSize: '0.8125rem',
        fontWeight: 600,
        lineHeight: 1,
      },
    }}
  >
    {children}
  </Box>
)

const QR_SIZE = 152

/** The secret as an image and in groups of four. */
function Key({ enrolment: { secret, qrCode } }: { enrolment: Enrolment }) {
  const text = useText()
  const [notCopied, setNotCopied] = useState(false)
  return (
    <Box sx={{ display: 'grid', justifyItems: 'start', gap: 1.5, mt: 1.5 }}>
      <Box
        component="img"
        src={qrCode}
        alt={text('verifications.qrCode')}
        width={QR_SIZE}
        height={QR_SIZE}
        sx={{
          boxSizing: 'content-box',
          p: 1,
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
          bgcolor: '#FFFFFF',
          imageRendering: 'pixelated',
        }}
      />
      <Typography sx={{ color: 'text.secondary' }}>{text('verifications.cannotScan')}</Typography>
      <Box
        component="code"
        dir="ltr"
        translate="no"
        sx={{ fontFamily: 'monospace', fontSize: '0.875rem', fontWeight: 600, userSelect: 'all' }}
      >
        {(secret.match(/.{1,4}/g) ?? []).join(' ')}
      </Box>
      <CopyButton value={secret} label={text('verifications.copyKey')} onFail={() => setNotCopied(true)} />
      {notCopied && <Alert severity="warning">{text('verifications.notCopied')}</Alert>}
    </Box>
  )
}
