import type { SecondFactorData, SessionData } from '#contract/sessions/schema.ts'
import { lockout, secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { type CodeFieldProps, CodeForm, type CodeRefusal } from '#src/shared/CodeForm.tsx'

import { confirmCode } from './queries.ts'

export interface StepProps {
  pending: SecondFactorData
  /** The sign-in is complete; its session has not begun. */
  onDone: (data: SessionData) => void
  onCancel: () => void
  /** The sign-in has expired and starts again with the password. */
  onExpired: () => void
}
interface Props extends StepProps, CodeFieldProps {
  incomplete: string
  submit: string
}

/** Completes a sign-in with a code. */
export function SignInCodeForm({ pending, onDone, onExpired, incomplete, submit, ...form }: Props) {
  const confirm = async (code: string): Promise<CodeRefusal | undefined> => {
    const result = await confirmCode(pending, code)
    if (result.kind === 'refused' || result.kind === 'locked') return result
    if (result.kind === 'done') onDone(result.data)
    else onExpired()
    return undefined
  }
  const { submitting, cancel } = texts
  return (
    <CodeForm
      {...form}
      variant="page"
      texts={{ incomplete, submit, submitting, cancel, ...lockout }}
      onCode={confirm}
    />
  )
}
