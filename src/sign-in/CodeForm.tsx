import { type FormEvent, type ReactNode, useRef, useState } from 'react'

import type { SecondFactorData, SessionData } from '#contract/sessions/schema.ts'
import { secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { CodeInput } from '#src/kit/form/CodeInput.tsx'
import { keepFocus } from '#src/kit/form/keepFocus.ts'
import { onceClicked } from '#src/kit/form/onceClicked.ts'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'

import { Lockout } from './Lockout.tsx'
import type { CodeResult } from './queries.ts'

export interface StepProps {
  pending: SecondFactorData
  /** The sign-in is complete; its session has not begun. */
  onDone: (data: SessionData) => void
  onCancel: () => void
  /** The sign-in took too long. */
  onExpired: () => void
}
interface Props extends StepProps {
  label: string
  length: number
  incomplete: string
  submit: string
  describedBy?: string
  help?: ReactNode
  autoComplete?: 'one-time-code' | 'off'
  autoFocus?: boolean
  /** Counts the codes that were asked for: another one begins with an empty field. */
  round?: number
  /** What stands around the field. */
  around?: (field: ReactNode) => ReactNode
}

interface State {
  readonly message?: string
  /** Tells one refusal from the next with the same words, so that each is announced. */
  readonly attempt: number
  readonly lockedUntil?: number
  readonly locked: boolean
}
const NOTHING_TRIED: State = { attempt: 0, locked: false }

/** A code and the buttons that send it or give the sign-in up. */
export function CodeForm({ pending, onDone, onCancel, onExpired, round = 0, ...props }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState({ round, digits: '' })
  const code = typed.round === round ? typed.digits : ''
  const [{ message, attempt, lockedUntil, locked }, setState] = useState(NOTHING_TRIED)
  const complete = code.length === props.length

  const { busy, submit } = useSubmitOnce(async () => {
    const result = await import('./queries.ts').then(
      ({ confirmCode }) => confirmCode(pending, code),
      (): CodeResult => ({ kind: 'refused', message: texts.failed }),
    )
    if (result.kind === 'done') return onDone(result.data)
    if (result.kind === 'over') return onExpired()
    setState(
      result.kind === 'locked'
        ? { attempt: attempt + 1, lockedUntil: result.until, locked: true }
        : { attempt: attempt + 1, message: result.message, locked: false },
    )
    // What was typed stays, ready to be typed over.
    field.current?.focus()
    return field.current?.select()
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (complete && !locked) submit()
  }
  const onChange = (digits: string) => {
    setTyped({ round, digits })
    if (message) setState({ attempt, locked: false })
  }

  const entry = (
    <>
      {lockedUntil !== undefined && (
        <Lockout
          key={attempt}
          until={lockedUntil}
          onOver={() => locked && setState({ attempt, lockedUntil, locked: false })}
        />
      )}
      {message && code !== '' && (
        <p key={attempt} className="plain-note" data-tone="error" role="alert">
          {message}
        </p>
      )}
      <CodeInput
        key={round}
        label={props.label}
        length={props.length}
        incomplete={props.incomplete}
        help={props.help}
        autoComplete={props.autoComplete ?? 'one-time-code'}
        autoFocus={props.autoFocus ?? round > 0}
        {...(props.describedBy && { describedBy: props.describedBy })}
        value={code}
        onChange={onChange}
        inputRef={field}
      />
    </>
  )
  return (
    <form onSubmit={onSubmit} noValidate>
      {props.around?.(entry) ?? entry}
      <div className="plain-buttons">
        <button
          type="button"
          className="plain-button"
          data-tone="quiet"
          onMouseDown={keepFocus}
          onClick={onCancel}
        >
          {texts.cancel}
        </button>
        <button
          type="submit"
          onClick={onceClicked}
          className="plain-button"
          disabled={!complete || locked}
          aria-disabled={busy || !complete || locked}
        >
          {busy ? texts.submitting : props.submit}
        </button>
      </div>
    </form>
  )
}
