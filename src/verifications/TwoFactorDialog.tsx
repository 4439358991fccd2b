import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Skeleton from '@mui/material/Skeleton'
import { useCallback, useEffect, useRef, useState } from 'react'

import type { Verified } from '#contract/verifications/schema.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { useText } from '#src/kit/useText.ts'

import { AuthenticatorSetup } from './AuthenticatorSetup.tsx'
import { AppStep, EmailStep } from './CodeStep.tsx'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import { TwoFactorFrame } from './TwoFactorFrame.tsx'
import { beginVerification, type Begun } from './verification.ts'

interface Props {
  /** Called with the expiry of the verification by the server's clock (ISO 8601). */
  onVerified: (verifiedUntil: string) => void
  /** Called on cancel. */
  onClose: () => void
}
type Stage =
  | Begun
  | { readonly kind: 'requesting' | 'failed' }
  | { readonly kind: 'enrolled'; readonly codes: readonly string[]; readonly verifiedUntil: string }

/**
 * Verifies the signed-in person with a second factor (foundation §4 "Two-factor verification"). Requests a
 * code when it opens; independent of the action that needs the verification.
 */
export function TwoFactorDialog({ onVerified, onClose }: Props) {
  const text = useText()
  const [stage, setStage] = useState<Stage>({ kind: 'requesting' })
  const begin = useCallback(async () => {
    setStage({ kind: 'requesting' })
    setStage(await beginVerification().catch(() => ({ kind: 'failed' as const })))
  }, [])
  const begun = useRef(false)
  useEffect(() => {
    // Requests one code per opening, even if the effect runs twice.
    if (!begun.current) void begin()
    begun.current = true
  }, [begin])
  const finish = ({ verifiedUntil, recoveryCodes: codes }: Verified) =>
    codes ? setStage({ kind: 'enrolled', codes, verifiedUntil }) : onVerified(verifiedUntil)
  const form = { onVerified: finish, onCancel: onClose }

  if (stage.kind === 'enrolled')
    return <RecoveryCodesDialog codes={stage.codes} onSaved={() => onVerified(stage.verifiedUntil)} />
  return (
    <TwoFactorFrame title={text('verifications.title')} onClose={onClose}>
      {stage.kind === 'enrolment' ? (
        <AuthenticatorSetup {...form} enrolment={stage.enrolment} lead={text('verifications.demanded')} />
      ) : stage.kind === 'code' ? (
        stage.verification.secondFactorType === 'EMAIL' ? (
          <EmailStep {...form} begun={stage} />
        ) : (
          <AppStep {...form} />
        )
      ) : (
        <NotYet failed={stage.kind === 'failed'} onRetry={() => void begin()} onCancel={onClose} />
      )}
    </TwoFactorFrame>
  )
}

/** Placeholder of the form's size until the kind of code is known. */
function NotYet({
  failed,
  onRetry,
  onCancel,
}: {
  failed: boolean
  onRetry: () => void
  onCancel: () => void
}) {
  const text = useText()
  return (
    <>
      <DialogContent sx={{ display: 'grid', alignContent: 'start', gap: 2.5 }} aria-busy={!failed}>
        {failed ? (
          <Alert severity="error">{text('kit.wentWrong')}</Alert>
        ) : (
          <>
            <Skeleton
              variant="rounded"
              height={42}
              aria-label={text('verifications.requesting')}
              role="status"
            />
            <Skeleton variant="rounded" height={81} width={216} sx={{ mb: '27px' }} />
          </>
        )}
      </DialogContent>
      <DialogActions>
        <CancelButton onClick={onCancel} />
        {failed ? (
          <Button variant="contained" onClick={onRetry}>
            {text('kit.retry')}
          </Button>
        ) : (
          <Button variant="contained" disabled>
            {text('verifications.verify')}
          </Button>
        )}
      </DialogActions>
    </>
  )
}
