import TextField from '@mui/material/TextField'

import { REASON_MAX } from '#contract/incidents/schema.ts'
import { corrections as words } from '#providers/i18n/corrections.ts'

interface Props {
  value: string
  onChange: (reason: string) => void
  isRequired?: boolean
}

/** The reason of a correction, which the history keeps. */
export function ReasonField({ value, onChange, isRequired = false }: Props) {
  return (
    <TextField
      fullWidth
      multiline
      maxRows={6}
      required={isRequired}
      label={isRequired ? words.reason : words.reasonOptional}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      helperText={words.reasonHelp}
      slotProps={{ htmlInput: { maxLength: REASON_MAX, dir: 'auto' } }}
    />
  )
}
