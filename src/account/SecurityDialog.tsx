import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useNotify } from 'react-admin'
import { useState } from 'react'

import type { Enrolment } from '#contract/sessions/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { useText } from '#src/kit/useText.ts'
import { AuthenticatorSetup } from '#src/verifications/AuthenticatorSetup.tsx'
import { RecoveryCodesDialog } from '#src/verifications/RecoveryCodesDialog.tsx'
import { TwoFactorFrame } from '#src/verifications/TwoFactorFrame.tsx'
import { useVerification } from '#src/verifications/useVerification.tsx'
import { beginEnrolment } from '#src/verifications/verification.ts'

import { AccountDialog } from './AccountDialog.tsx'
import {
  removeAuthenticator,
  renewRecoveryCodes,
  useDemandsAuthenticator,
  useSecondFactor,
  useSignInFactor,
} from './queries.ts'
import { SecurityOverview } from './SecurityOverview.tsx'

/** The dialog that covers the overview. */
type Step =
  | { readonly kind: 'renewing' | 'removing' }
  | { readonly kind: 'setup'; readonly enrolment: Enrolment }
  | { readonly kind: 'codes'; readonly codes: readonly string[]; readonly replaced: boolean }

/** The person's second factor, and the ways to change it. */
export function SecurityDialog({ onClose }: { onClose: () => void }) {
  const text = useText()
  const notify = useNotify()
  const { data: state, error, refetch } = useSecondFactor()
  const signInFactor = useSignInFactor()
  const demanded = useDemandsAuthenticator()
  const { whenVerified, asking, dialog } = useVerification()
  const [step, setStep] = useState<Step>()
  const [problem, setProblem] = useState<string>()
  const [beginning, setBeginning] = useState(false)

  const setUp = async () => {
    setBeginning(true)
    setProblem(undefined)
    try {
      await whenVerified(async () => setStep({ kind: 'setup', enrolment: await beginEnrolment() }))
    } catch (failure) {
      // Another tab or device may have changed the second factor already.
      void refetch()
      setProblem(messageOf(failure, text('kit.wentWrong')))
    } finally {
      setBeginning(false)
    }
  }
  const renew = () =>
    whenVerified(async () => setStep({ kind: 'codes', codes: await renewRecoveryCodes(), replaced: true }))
  const remove = async () => {
    if (!(await whenVerified(removeAuthenticator))) return
    notify(text('account.security.removed'), { type: 'success' })
    void refetch()
  }
  const onSaved = () => {
    setStep(undefined)
    void refetch()
  }
  /** Closes a confirmation, unless it has led to another step. */
  const leave = (kind: 'renewing' | 'removing') => () =>
    setStep((now) => (now?.kind === kind ? undefined : now))
  const onOverdue = () => {
    setStep(undefined)
    setProblem(text('account.security.tookTooLong'))
  }

  return (
    <AccountDialog
      title={text('account.twoFactor')}
      closeLabel={text('kit.close')}
      problem={problem}
      // The codes cannot be shown again.
      busy={step?.kind === 'codes'}
      onClose={onClose}
    >
      {signInFactor && (
        <Typography sx={{ color: 'text.secondary' }}>
          {text(`account.security.signIn.${signInFactor}`)}
        </Typography>
      )}
      {error && !state ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !state || !signInFactor ? (
        <Skeleton variant="rounded" height={240} />
      ) : (
        <SecurityOverview
          state={state}
          demanded={demanded}
          beginning={beginning}
          onSetUp={() => void setUp()}
          onRenew={() => setStep({ kind: 'renewing' })}
          onRemove={() => setStep({ kind: 'removing' })}
        />
      )}
      <ConfirmDialog
        open={step?.kind === 'renewing' && !asking}
        title={text('account.security.renewTitle')}
        text={text('account.security.renewText')}
        submitLabel={text('account.security.renew')}
        onSubmit={renew}
        onClose={leave('renewing')}
      />
      <ConfirmDialog
        open={step?.kind === 'removing' && !asking}
        destructive
        title={text('account.security.removeTitle')}
        text={text('account.security.removeText')}
        submitLabel={text('account.security.removeIt')}
        onSubmit={remove}
        onClose={leave('removing')}
      />
      {step?.kind === 'setup' ? (
        <TwoFactorFrame title={text('verifications.setupTitle')} onClose={() => setStep(undefined)}>
          <AuthenticatorSetup
            enrolment={step.enrolment}
            onVerified={({ recoveryCodes = [] }) =>
              setStep({ kind: 'codes', codes: recoveryCodes, replaced: false })
            }
            onOverdue={onOverdue}
            onCancel={() => setStep(undefined)}
          />
        </TwoFactorFrame>
      ) : (
        step?.kind === 'codes' && (
          <RecoveryCodesDialog codes={step.codes} replaced={step.replaced} onSaved={onSaved} />
        )
      )}
      {dialog}
    </AccountDialog>
  )
}
