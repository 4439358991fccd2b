import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'

import { useChoosable } from './useChoosable.tsx'

interface Props {
  label: string
  /** Email address; null for nobody. */
  value: string | null
  onChange: (email: string | null) => void
  /** Placeholder while nobody is chosen. */
  nobody: string
  clearLabel: string
  error?: string | undefined
  disabled?: boolean
}

/** Chooses one person who can be chosen, or nobody. */
export function PersonPicker({ label, value, onChange, nobody, clearLabel, error, disabled = false }: Props) {
  const { picker } = useChoosable({ isInternal: true, chosen: [] })
  return (
    <Autocomplete
      {...picker}
      size="small"
      value={value}
      onChange={(_, email) => onChange(email)}
      disabled={disabled}
      clearText={clearLabel}
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          placeholder={nobody}
          error={error !== undefined}
          helperText={error}
        />
      )}
    />
  )
}
