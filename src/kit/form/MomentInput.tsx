import TextField from '@mui/material/TextField'
import { useInput } from 'react-admin'
import { useState } from 'react'

import type { TextKey } from '#providers/i18nProvider.ts'

import { type FieldRule, useFieldRule } from './formRules.ts'
import { localTime, momentOf } from '../time/localTime.ts'
import { useText } from '../useText.ts'

interface Props {
  source: string
  label: TextKey
  help?: TextKey
  required?: boolean
  /** A rule beyond the form's schema. */
  rule?: FieldRule
}

/** A date and time in a form, in the browser's time zone; an empty field is null. */
export function MomentInput({ source, label, help, required = false, rule }: Props) {
  const text = useText()
  const { id, field, fieldState } = useInput({ source, format: undefined, parse: undefined })
  // A partly typed value is no valid date yet.
  const [typed, setTyped] = useState(() => localTime(field.value as string | null))
  useFieldRule(source, rule)
  const problem = fieldState.error?.message
  return (
    <TextField
      id={id}
      name={field.name}
      type="datetime-local"
      label={text(label)}
      value={momentOf(typed) === field.value ? typed : localTime(field.value as string | null)}
      onChange={(event) => {
        setTyped(event.target.value)
        field.onChange(momentOf(event.target.value))
      }}
      onBlur={field.onBlur}
      inputRef={field.ref}
      required={required}
      error={problem !== undefined}
      helperText={problem ?? (help && text(help))}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  )
}
