import { CODE_INCORRECT, type Verified } from '#contract/verifications/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { type CodeFieldProps, CodeForm, type CodeRefusal } from './CodeForm.tsx'
import { verifyCode } from './verification.ts'

interface Props extends CodeFieldProps {
  /** True if the code enrols its authenticator app. */
  enrols?: boolean
  onVerified: (verified: Verified) => void
  /** Called if the verification for an optional enrolment has expired. */
  onOverdue?: () => void
  onCancel: () => void
}

/** Verifies the session of a signed-in person with a code. */
export function VerificationCodeForm({ enrols = false, onVerified, onOverdue, ...form }: Props) {
  const text = useText()
  const texts = {
    incomplete: text('verifications.incomplete'),
    submit: text('verifications.verify'),
    submitting: text('verifications.verifying'),
    cancel: text('kit.cancel'),
    wait: text('verifications.attemptAfter'),
    over: text('verifications.attemptNow'),
  }
  const verify = async (code: string): Promise<CodeRefusal | undefined> => {
    const verdict = await verifyCode(code, enrols)
    if (verdict.kind === 'locked') return verdict
    if (verdict.kind === 'wrong') return { kind: 'refused', message: CODE_INCORRECT, clears: true }
    if (verdict.kind === 'failed') return { kind: 'refused', message: text('kit.wentWrong') }
    if (verdict.kind === 'verified') onVerified(verdict.verified)
    else onOverdue?.()
    return undefined
  }
  return <CodeForm {...form} variant="dialog" texts={texts} onCode={verify} />
}
