import './code-input.css'

import {
  type ChangeEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

interface Props {
  label: string
  /** Digits of a whole code. */
  length: number
  value: string
  /** Called with digits only, never more than the length. */
  onChange: (digits: string) => void
  /** What is said when the field is left before the code is whole. */
  incomplete: string
  /** What else describes the field; what is wrong takes its place. */
  help?: ReactNode
  /** The id of a text elsewhere that says which code is meant. */
  describedBy?: string
  /** `off` for codes that no message brings. */
  autoComplete?: 'one-time-code' | 'off'
  inputRef?: Ref<HTMLInputElement>
  autoFocus?: boolean
}

/** Where the digits of a code part in two, as people read them out; 0 for none. */
const halfOf = (length: number) => (length >= 6 ? length / 2 : 0)
const selectionOf = (field: HTMLInputElement | null) =>
  [field?.selectionStart ?? 0, field?.selectionEnd ?? 0] as const
const digitsOf = (text: string) => text.replace(/\D/g, '')

/**
 * The digits of a code: one text field, which keyboards, pasting and password managers take for what it is, drawn as a
 * box for each digit. It needs no theme, and stands in the pages before sign-in as well as in dialogs.
 */
export function CodeInput({
  label,
  length,
  value,
  onChange,
  incomplete,
  help,
  describedBy,
  autoComplete = 'one-time-code',
  inputRef,
  autoFocus = false,
}: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useImperativeHandle(inputRef, () => input.current!)
  const [left, setLeft] = useState(false)
  const [marked, setMarked] = useState<readonly [from: number, to: number] | null>(null)
  const caret = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (caret.current === null) return
    // React puts the caret to the end where it changed what was typed.
    input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const digits = digitsOf(target.value)
    const at = digitsOf(target.value.slice(0, target.selectionStart ?? target.value.length)).length
    // In a full code the digit after the caret makes way for the one that is typed.
    const tooMany = Math.max(0, digits.length - length)
    const next = (digits.slice(0, at) + digits.slice(at + tooMany)).slice(0, length)
    caret.current = Math.min(at, next.length)
    setLeft(false)
    setMarked([caret.current, caret.current])
    onChange(next)
  }
  const mark = () => setMarked(selectionOf(input.current))
  useEffect(() => {
    const follow = () => {
      if (document.activeElement === input.current) setMarked(selectionOf(input.current))
    }
    document.addEventListener('selectionchange', follow)
    return () => document.removeEventListener('selectionchange', follow)
  }, [])
  /** Where a click lands among letters that are not seen means nothing: a whole code is typed anew, another goes on. */
  const point = () => {
    input.current?.setSelectionRange(value.length < length ? value.length : 0, value.length)
    mark()
  }
  const judge = () => setLeft(value.length < length)
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') judge()
  }
  const onBlur = () => {
    setMarked(null)
    // The window was left, perhaps to look the code up: not the field.
    if (document.activeElement !== input.current) judge()
  }

  const boxes = Array.from({ length }, (_, at) => at)
  const [from, to] = marked ?? [-1, -1]
  // Digits may have been taken away since.
  const active = from === to ? Math.min(from, value.length, length - 1) : -1
  return (
    <div className="code">
      <label htmlFor={id}>{label}</label>
      <div className="code-field" dir="ltr" data-invalid={left} data-length={length}>
        {boxes.map((at) => (
          <span
            key={at}
            className="code-box"
            aria-hidden="true"
            data-half={at > 0 && at === halfOf(length)}
            data-active={at === active}
            data-empty={at >= value.length}
            data-marked={at >= from && at < to}
          >
            {value[at]}
          </span>
        ))}
        <input
          id={id}
          ref={input}
          type="text"
          inputMode="numeric"
          pattern="[0-9]*"
          name="code"
          autoComplete={autoComplete}
          autoCorrect="off"
          spellCheck={false}
          required
          autoFocus={autoFocus}
          value={value}
          onChange={change}
          onFocus={mark}
          onClick={point}
          onBlur={onBlur}
          onKeyDown={onKeyDown}
          aria-invalid={left}
          aria-describedby={[describedBy, `${id}-help`].filter(Boolean).join(' ')}
        />
      </div>
      {/* Always a line high, so that nothing moves away under a finger when there is something to say. */}
      <div className="code-help" id={`${id}-help`}>
        {left ? (
          <span className="code-problem" role="alert">
            {incomplete}
          </span>
        ) : (
          help
        )}
      </div>
    </div>
  )
}
