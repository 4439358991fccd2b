import TextField from '@mui/material/TextField'

interface Props {
  label: string
  /** As the field holds it: 2026-03-12T09:00. */
  value: string
  onChange: (value: string) => void
  problem: string | undefined
}

/** A date and time of the person's zone. */
export function TimeField({ label, value, onChange, problem }: Props) {
  return (
    <TextField
      fullWidth
      type="datetime-local"
      label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      error={problem !== undefined}
      helperText={problem ?? ' '}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  )
}
