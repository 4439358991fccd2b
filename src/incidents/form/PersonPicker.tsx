import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { useMemo } from 'react'

import { isSelectable } from '#contract/users/rules.ts'
import { useText } from '#src/kit/useText.ts'
import { usePeople } from '#src/shared/usePeople.ts'
import { usePersonOptions } from '#src/shared/usePersonOptions.tsx'

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
  const personOptions = usePersonOptions()
  const { list, byEmail } = usePeople()
  const chosen = value === null ? null : (byEmail.get(value) ?? null)
  const options = useMemo(() => list.filter((user) => isSelectable(user) && user.type === 'INTERNAL'), [list])
  return (
    <Autocomplete
      {...personOptions}
      size="small"
      options={options}
      value={chosen}
      onChange={(_, user) => onChange(user?.email ?? null)}
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
