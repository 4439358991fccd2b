import { keyframes, styled } from '@mui/material/styles'
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

import { CONTROL_RADIUS } from '../theme/theme.ts'

interface Props {
  label: string
  /** Number of digits. */
  length: number
  value: string
  /** Called with digits only, never more than the length. */
  onChange: (digits: string) => void
  /** Error message for an incomplete code, shown on blur. */
  incomplete: string
  /** Help text; an error replaces it. */
  help?: ReactNode
  /** Id of the text that explains the code. */
  describedBy?: string
  /** `off` for codes that are not sent in a message. */
  autoComplete?: 'one-time-code' | 'off'
  inputRef?: Ref<HTMLInputElement>
  autoFocus?: boolean
}

/** Position of the gap in the middle of a code, as people read it out; 0 for none. */
const halfOf = (length: number) => (length >= 6 ? length / 2 : 0)
const selectionOf = (field: HTMLInputElement | null) =>
  [field?.selectionStart ?? 0, field?.selectionEnd ?? 0] as const
const digitsOf = (text: string) => text.replace(/\D/g, '')

/** A code in one text field, so that keyboards, pasting and password managers work, drawn as one box per digit. */
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
    // React moves the caret to the end when it replaces the typed value.
    input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const digits = digitsOf(target.value)
    const at = digitsOf(target.value.slice(0, target.selectionStart ?? target.value.length)).length
    // In a full code the typed digit replaces the digit after the caret.
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
  /** Ignores the position of a click: it selects a complete code, and continues an incomplete one. */
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
    // The window lost the focus, perhaps to look up the code: the field still has it.
    if (document.activeElement !== input.current) judge()
  }

  const boxes = Array.from({ length }, (_, at) => at)
  const [from, to] = marked ?? [-1, -1]
  // Digits may have been removed meanwhile.
  const active = from === to ? Math.min(from, value.length, length - 1) : -1
  return (
    <Root>
      <Label htmlFor={id}>{label}</Label>
      <Field dir="ltr" data-invalid={left} data-long={length > SHORT_CODE}>
        {boxes.map((at) => (
          <Digit
            key={at}
            aria-hidden="true"
            data-half={at > 0 && at === halfOf(length)}
            data-active={at === active}
            data-empty={at >= value.length}
            data-marked={at >= from && at < to}
          >
            {value[at]}
          </Digit>
        ))}
        <Input
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
      </Field>
      {/* Always one line high, so that a message does not move the buttons. */}
      <Help id={`${id}-help`}>{left ? <Problem role="alert">{incomplete}</Problem> : help}</Help>
    </Root>
  )
}

/** Digits of a code that fits into large boxes at 320 px. */
const SHORT_CODE = 6

const Root = styled('div')({ minWidth: 0, fontSize: '1rem' })
const Label = styled('label')({ display: 'block', marginBottom: 4, fontSize: '0.875rem', fontWeight: 600 })
const Field = styled('div')(({ theme }) => ({
  position: 'relative',
  display: 'flex',
  gap: 8,
  width: 'fit-content',
  maxWidth: '100%',
  [theme.breakpoints.down('sm')]: { gap: 6 },
  '&[data-long="true"]': { gap: 4 },
}))
const blink = keyframes({ '50%': { opacity: 0 } })
const Digit = styled('span')(({ theme }) => ({
  display: 'grid',
  placeItems: 'center',
  flex: '0 1 48px',
  width: 48,
  minWidth: 0,
  height: 56,
  border: `1px solid ${theme.vars.palette.background.edge}`,
  borderRadius: CONTROL_RADIUS,
  backgroundColor: theme.vars.palette.background.paper,
  fontSize: '1.5rem',
  lineHeight: 1,
  fontWeight: 600,
  fontVariantNumeric: 'tabular-nums',
  '&[data-half="true"]': { marginInlineStart: 8 },
  '[data-long="true"] > &': { height: 48, fontSize: '1.125rem' },
  '[data-invalid="true"] > &': { borderColor: theme.vars.palette.error.main },
  '&[data-marked="true"]': {
    backgroundColor: `color-mix(in srgb, ${theme.vars.palette.primary.main} 20%, ${theme.vars.palette.background.paper})`,
  },
  'div:focus-within > &[data-active="true"]': {
    borderColor: theme.vars.palette.primary.main,
    outline: `1px solid ${theme.vars.palette.primary.main}`,
  },
  // The field's own caret is invisible.
  'div:focus-within > &[data-active="true"][data-empty="true"]::after': {
    content: '""',
    width: 2,
    height: 24,
    backgroundColor: theme.vars.palette.primary.main,
    animation: `${blink} 1.1s steps(1) infinite`,
  },
}))
/** Lies over the boxes with transparent text. */
const Input = styled('input')({
  position: 'absolute',
  inset: 0,
  width: '100%',
  height: '100%',
  margin: 0,
  padding: 0,
  border: 0,
  background: 'transparent',
  color: 'transparent',
  caretColor: 'transparent',
  fontSize: '1rem',
  outline: 'none',
  forcedColorAdjust: 'none',
  '&::selection': { background: 'transparent', color: 'transparent' },
  '&:-webkit-autofill': { WebkitTextFillColor: 'transparent', backgroundClip: 'text' },
})
const Help = styled('div')(({ theme }) => ({
  minHeight: 21,
  marginTop: 6,
  fontSize: '0.875rem',
  color: theme.vars.palette.text.secondary,
}))
const Problem = styled('span')(({ theme }) => ({ color: theme.vars.palette.error.main }))
