import { lockout, secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { type CodeFieldProps, CodeForm, type CodeRefusal } from '../CodeForm.tsx'

import type { CodeResult } from './results.ts'

export interface StepProps<Session> {
  confirm: (code: string) => Promise<CodeResult<Session>>
  /** Called when the sign-in is complete; its session has not begun. */
  onDone: (data: Session) => void
  onCancel: () => void
  /** Called when the sign-in has expired and starts again. */
  onExpired: () => void
}
interface Props<Session> extends StepProps<Session>, CodeFieldProps {
  incomplete: string
  submit: string
}

export function SignInCodeForm<Session>({
  confirm,
  onDone,
  onExpired,
  incomplete,
  submit,
  ...form
}: Props<Session>) {
  const send = async (code: string): Promise<CodeRefusal | undefined> => {
    const result = await confirm(code)
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
      onCode={send}
    />
  )
}
