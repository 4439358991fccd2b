import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { type ReactNode, useState } from 'react'

import type { Enrolment } from '#contract/sessions/schema.ts'
import { credentials as texts } from '#providers/i18n/credentials.ts'

import { CopyButton } from '#src/kit/form/CopyButton.tsx'

interface Props {
  /** Undefined while loading; the space is reserved. */
  enrolment: Enrolment | undefined
  /** Field for the app's first code. */
  children: ReactNode
}

/** The steps to set up an authenticator app: install it, enter the secret, confirm with a code. */
export const AuthenticatorSteps = ({ enrolment, children }: Props) => (
  <Box component="ol" sx={{ display: 'grid', gap: 3, m: 0, p: 0, listStyle: 'none', counterReset: 'step' }}>
    <Step>{texts.installApp}</Step>
    <Step>
      {texts.scan}
      <Secret enrolment={enrolment} />
    </Step>
    <Step>
      {texts.enterCode}
      <Box sx={{ mt: 1.5 }}>{children}</Box>
    </Step>
  </Box>
)

const Step = ({ children }: { children: ReactNode }) => (
  <Box
    component="li"
    sx={{
      position: 'relative',
      minWidth: 0,
      minHeight: 24,
      pl: { xs: 4, sm: 5 },
      counterIncrement: 'step',
      '&::before': {
        content: 'counter(step)',
        position: 'absolute',
        top: 0,
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

/** The secret as a QR code and in groups of four. */
function Secret({ enrolment }: { enrolment: Enrolment | undefined }) {
  const [notCopied, setNotCopied] = useState(false)
  return (
    <Box
      aria-busy={!enrolment}
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: '16px 20px', mt: 1.5 }}
    >
      <Box
        sx={{
          flex: 'none',
          width: QR_SIZE + 18,
          height: QR_SIZE + 18,
          p: 1,
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
          bgcolor: '#FFFFFF',
        }}
      >
        {enrolment && (
          <Box
            component="img"
            src={enrolment.qrCode}
            alt={texts.qrCode}
            width={QR_SIZE}
            height={QR_SIZE}
            sx={{ display: 'block', imageRendering: 'pixelated' }}
          />
        )}
      </Box>
      <Box
        sx={{
          flex: '1 1 170px',
          minWidth: 0,
          display: 'grid',
          justifyItems: 'start',
          gap: 1,
          fontSize: '0.875rem',
        }}
      >
        <Box sx={{ color: 'text.secondary' }}>{texts.cannotScan}</Box>
        {enrolment ? (
          <>
            <Box
              component="code"
              dir="ltr"
              translate="no"
              sx={{
                fontFamily: 'monospace',
                fontSize: '0.9375rem',
                fontWeight: 600,
                overflowWrap: 'anywhere',
                userSelect: 'all',
              }}
            >
              {(enrolment.secret.match(/.{1,4}/g) ?? []).join(' ')}
            </Box>
            <CopyButton value={enrolment.secret} label={texts.copyKey} onFail={() => setNotCopied(true)} />
            {notCopied && <Alert severity="warning">{texts.notCopied}</Alert>}
          </>
        ) : (
          <output>{texts.loadingKey}</output>
        )}
      </Box>
    </Box>
  )
}
