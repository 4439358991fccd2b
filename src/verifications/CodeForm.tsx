import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { type ReactNode, useRef, useState } from 'react'

import { CodeInput } from '#src/kit/form/CodeInput.tsx'
import { keepFocus } from '#src/kit/form/keepFocus.ts'
import { SubmitButton } from '#src/kit/form/SubmitButton.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useSecondsUntil } from '#src/kit/time/Countdown.tsx'

import { FormFrame, type FormVariant } from '#src/kit/form/FormFrame.tsx'
import { Lockout } from '#src/kit/feedback/Lockout.tsx'

export type CodeRefusal =
  | {
      readonly kind: 'refused'
      readonly message: string
      /** True to clear the field; otherwise its digits stay selected. */
      readonly clears?: boolean
    }
  | { readonly kind: 'locked'; readonly until: number }

/** The texts of a code's field. */
export interface CodeFieldProps {
  label: string
  length: number
  help?: ReactNode
  /** Id of the text that explains the code. */
  describedBy?: string
  autoComplete?: 'one-time-code' | 'off'
  autoFocus?: boolean
  /** Counts requested codes: each begins with an empty field. */
  round?: number
  /** A button at the start of a dialog's row of buttons. */
  aside?: ReactNode
  /** Renders content around the field. */
  around?: (field: ReactNode) => ReactNode
}
interface Props extends CodeFieldProps {
  variant: FormVariant
  texts: Readonly<Record<'incomplete' | 'submit' | 'submitting' | 'cancel' | 'wait' | 'over', string>>
  /** Resolves to a refusal, or to undefined on success. */
  onCode: (code: string) => Promise<CodeRefusal | undefined>
  onCancel: () => void
}

/** The digits of each round, and the refusal of the last attempt. */
function useCode(round: number, onCode: Props['onCode']) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState({ round, digits: '' })
  const code = typed.round === round ? typed.digits : ''
  // The attempt is the alert's key, so that a repeated message is announced again.
  const [refused, setRefused] = useState<{ attempt: number; round: number; message?: string }>({
    attempt: 0,
    round,
  })
  const [until, setUntil] = useState(0)
  const locked = useSecondsUntil(until) > 0

  const { busy, submit } = useSubmitOnce(async () => {
    const refusal = await onCode(code)
    if (!refusal) return
    const attempt = refused.attempt + 1
    if (refusal.kind === 'locked') {
      setUntil(refusal.until)
      setRefused({ attempt, round })
    } else {
      setUntil(0)
      setRefused({ attempt, round, message: refusal.message })
      if (refusal.clears) setTyped({ round, digits: '' })
    }
    field.current?.focus()
    field.current?.select()
  })
  const change = (digits: string) => {
    setTyped({ round, digits })
    setRefused({ attempt: refused.attempt, round })
    if (!locked) setUntil(0)
  }
  const message = refused.round === round ? refused.message : undefined
  return { field, code, change, attempt: refused.attempt, message, until, locked, busy, submit }
}

/** A code field, its refusals, and the buttons that submit or cancel. */
export function CodeForm({ variant, texts, round = 0, onCode, onCancel, ...props }: Props) {
  const { field, code, change, attempt, message, until, locked, busy, submit } = useCode(round, onCode)
  const complete = code.length === props.length
  const entry = (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {until > 0 && <Lockout key={`lockout-${attempt}`} until={until} wait={texts.wait} over={texts.over} />}
      {message && (
        <Alert key={attempt} severity="error">
          {message}
        </Alert>
      )}
      <CodeInput
        key={`code-${round}`}
        label={props.label}
        length={props.length}
        incomplete={texts.incomplete}
        help={props.help}
        autoComplete={props.autoComplete ?? 'one-time-code'}
        autoFocus={props.autoFocus ?? round > 0}
        {...(props.describedBy && { describedBy: props.describedBy })}
        value={code}
        onChange={change}
        inputRef={field}
      />
    </Box>
  )
  return (
    <FormFrame
      variant={variant}
      onSubmit={() => complete && !locked && submit()}
      aside={props.aside}
      buttons={
        <>
          <Button
            color="inherit"
            variant={variant === 'page' ? 'outlined' : 'text'}
            onMouseDown={keepFocus}
            onClick={onCancel}
            sx={{ borderColor: 'background.edge' }}
          >
            {texts.cancel}
          </Button>
          <SubmitButton
            label={texts.submit}
            busyLabel={texts.submitting}
            busy={busy}
            disabled={!complete || locked}
            onMouseDown={keepFocus}
          />
        </>
      }
    >
      {props.around?.(entry) ?? entry}
    </FormFrame>
  )
}
