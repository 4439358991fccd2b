import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import Skeleton from '@mui/material/Skeleton'
import { type Ref, Suspense, useId, useImperativeHandle, useRef } from 'react'

import { tooLong } from '#contract/kit/text.ts'

import { lazy } from '../browser/lazy.ts'
import { CONTROL_RADIUS } from '../theme/theme.ts'
import { useText } from '../useText.ts'

const RichTextEditor = lazy(async () => ({ default: (await import('./RichTextEditor.tsx')).RichTextEditor }))

/** The field's imperative methods for forms. */
export interface RichTextHandle {
  focus: () => void
}
/** Fraction of the limit from which the field shows the remaining length. */
const NEARLY_FULL = 0.9

interface Props {
  label: string
  /** HTML; empty without text. */
  value: string
  onChange: (html: string) => void
  onBlur?: () => void
  ref?: Ref<RichTextHandle>
  help?: string
  error?: string | undefined
  /** Limit in characters of HTML, which is stored. */
  maxLength?: number
  /** Height limits of the area in pixels; more text scrolls. */
  minHeight?: number
  maxHeight?: number
  disabled?: boolean
  required?: boolean
  autoFocus?: boolean
}

const lengthProblem = (value: string, maxLength: number) =>
  value.length > maxLength ? tooLong(maxLength) : undefined
const focusRing = (color: string) => ({ borderColor: color, boxShadow: '0 0 0 1px currentColor', color })

/** A field for rich text. The editor loads with the first field shown. */
export function RichText({ ref, ...props }: Props) {
  const { label, value, help, maxLength = Infinity, minHeight = 160, maxHeight = 400 } = props
  const text = useText()
  const id = useId()
  const labelId = `${id}-label`
  const helpId = `${id}-help`
  const editor = useRef<RichTextHandle>(null)
  const focus = () => editor.current?.focus()
  useImperativeHandle(ref, () => ({ focus }))
  const error = props.error ?? lengthProblem(value, maxLength)
  const used =
    value.length > maxLength * NEARLY_FULL
      ? text('richText.used', { length: value.length, max: maxLength })
      : undefined
  return (
    <div>
      {/* The keyboard reaches the field itself. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <Box id={labelId} onClick={focus} sx={{ mb: 0.5, fontWeight: 600, width: 'fit-content' }}>
        {label}
        {props.required && <span aria-hidden> *</span>}
      </Box>
      <Box
        sx={{
          borderRadius: `${CONTROL_RADIUS}px`,
          border: '1px solid',
          borderColor: error ? 'error.main' : 'background.edge',
          bgcolor: props.disabled ? 'transparent' : 'background.paper',
          '&:focus-within': focusRing(error ? 'error.main' : 'primary.main'),
        }}
      >
        <Suspense
          fallback={
            <Skeleton
              role="status"
              variant="rectangular"
              height={minHeight + 41}
              aria-label={text('kit.loading')}
            />
          }
        >
          <RichTextEditor
            ref={editor}
            label={label}
            value={value}
            onChange={props.onChange}
            onBlur={props.onBlur}
            labelId={labelId}
            helpId={helpId}
            invalid={error !== undefined}
            required={props.required ?? false}
            disabled={props.disabled ?? false}
            autoFocus={props.autoFocus ?? false}
            minHeight={minHeight}
            maxHeight={maxHeight}
          />
        </Suspense>
      </Box>
      <FormHelperText id={helpId} error={error !== undefined}>
        {[error ?? help, used].filter(Boolean).join(' · ')}
      </FormHelperText>
    </div>
  )
}
