import TextField from '@mui/material/TextField'

import { DECISION_TEXT_MAX } from '#contract/incident-decisions/schema.ts'

interface Props {
  label: string
  value: string
  onChange: (value: string) => void
  problem?: string | undefined
  help?: string
  max?: number
  required?: boolean
}

/** A text of several lines. */
export function WordsField({
  label,
  value,
  onChange,
  problem,
  help,
  max = DECISION_TEXT_MAX,
  required = false,
}: Props) {
  return (
    <TextField
      fullWidth
      multiline
      minRows={2}
      maxRows={8}
      label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      error={problem !== undefined}
      helperText={problem ?? help}
      slotProps={{ htmlInput: { maxLength: max, dir: 'auto', 'aria-required': required } }}
    />
  )
}
