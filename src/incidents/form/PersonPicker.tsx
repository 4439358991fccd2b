import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'

import { useText } from '#src/kit/useText.ts'
import { useChoosable } from '#src/shared/useChoosable.tsx'

interface Props {
  label: string
  /** An address; null for nobody. */
  value: string | null
  onChange: (email: string | null) => void
  error?: string | undefined
  disabled?: boolean
}

/** Chooses one of the people who can be chosen, or nobody. */
export function PersonPicker({ label, value, onChange, error, disabled = false }: Props) {
  const text = useText()
  const { picker } = useChoosable({ isInternal: true, chosen: [] })
  return (
    <Autocomplete
      {...picker}
      size="small"
      value={value}
      onChange={(_, email) => onChange(email)}
      disabled={disabled}
      clearText={text('incidents.unassign')}
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          placeholder={text('incidents.unassigned')}
          error={error !== undefined}
          helperText={error}
        />
      )}
    />
  )
}
