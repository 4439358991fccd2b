import { useInput } from 'react-admin'

import type { TextKey } from '#providers/i18nProvider.ts'

import { type FieldRule, useFieldRule } from './formRules.ts'
import { localTime, momentOf } from '../time/localTime.ts'
import { MomentField } from './MomentField.tsx'
import { useText } from '../useText.ts'

interface Props {
  source: string
  label: TextKey
  help?: TextKey
  required?: boolean
  /** A rule beyond the form's schema. */
  rule?: FieldRule
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** A date and time in a form, in the browser's time zone; an empty field is null. */
export function MomentInput({ source, label, help, required = false, rule }: Props) {
  const text = useText()
  const { id, field, fieldState } = useInput({ source, format: undefined, parse: undefined })
  useFieldRule(source, rule)
  const stored = field.value as string | null
  return (
    <MomentField
      id={id}
      name={field.name}
      label={text(label)}
      // A text that is no time stays in the form, whose schema refuses it.
      value={stored !== null && TIMESTAMP.test(stored) ? localTime(stored) : (stored ?? '')}
      onChange={(value) => field.onChange(value === '' ? null : (momentOf(value) ?? value))}
      onBlur={field.onBlur}
      inputRef={field.ref}
      required={required}
      problem={fieldState.error?.message}
      help={help && text(help)}
    />
  )
}
