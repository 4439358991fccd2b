import TextField from '@mui/material/TextField'
import { useInput } from 'react-admin'
import { type ComponentProps, type ReactNode, useEffect } from 'react'
import { useFormContext } from 'react-hook-form'

import { cleanEmail } from '#contract/kit/text.ts'
import type { TextKey } from '#providers/i18nProvider.ts'

import { type FieldRule, useFieldRule } from './formRules.ts'
import { useSecretField } from './secretFields.ts'
import { useText } from '../useText.ts'

interface Props extends Pick<ComponentProps<'input'>, 'autoComplete' | 'type' | 'inputMode'> {
  source: string
  label: TextKey
  help?: TextKey
  required?: boolean
  autoFocus?: boolean
  readOnly?: boolean
  /** Disables the field and resets its input, which could no longer be edited. */
  disabled?: boolean
  /** Minimum number of lines of a multi-line text. */
  lines?: number
  /** Replaces the help, depending on the typed text. */
  renderNote?: (typed: string) => ReactNode
  /** A rule beyond the form's schema. */
  rule?: FieldRule
}

/** Resets a field that is disabled although it has input. */
function useDropped(source: string, isClosed: boolean, isTyped: boolean) {
  const { resetField } = useFormContext()
  useEffect(() => {
    if (isClosed && isTyped) resetField(source)
  }, [isClosed, isTyped, resetField, source])
}

/** A text field of a form, single-line by default, with its label above and its help or error below. */
export function TextInput({
  source,
  label,
  help,
  required = false,
  autoFocus = false,
  disabled = false,
  rule,
  lines,
  renderNote,
  ...rest
}: Props) {
  const text = useText()
  const { id, field, fieldState } = useInput({ source })
  const { control } = useFormContext()
  useFieldRule(source, rule)
  const { type = 'text', readOnly = false, autoComplete = 'off', inputMode } = rest
  useSecretField(control, source, type === 'password')
  useDropped(source, disabled, fieldState.isDirty)
  const problem = fieldState.error?.message
  return (
    <TextField
      id={id}
      name={field.name}
      value={field.value}
      onChange={(event) => field.onChange(type === 'email' ? cleanEmail(event.target.value) : event)}
      onBlur={field.onBlur}
      inputRef={field.ref}
      type={type}
      label={text(label)}
      {...(lines && { multiline: true, minRows: lines, maxRows: 3 * lines })}
      required={required}
      autoFocus={autoFocus}
      disabled={disabled}
      error={problem !== undefined}
      helperText={problem ?? renderNote?.(String(field.value ?? '')) ?? (help && text(help))}
      slotProps={{
        htmlInput: { readOnly, autoComplete, inputMode, dir: 'auto' },
        input: readOnly ? { sx: { bgcolor: 'background.default' } } : {},
      }}
    />
  )
}
