import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { useMemo } from 'react'

import { fullName, isSelectable } from '#contract/users/rules.ts'
import { useText } from '#src/kit/useText.ts'
import { filterPeople, PersonOption } from '#src/shared/PersonOption.tsx'
import { usePeople } from '#src/shared/usePeople.ts'

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
  const { list, byEmail } = usePeople()
  const chosen = value === null ? null : (byEmail.get(value) ?? null)
  const options = useMemo(() => list.filter((user) => isSelectable(user) && user.type === 'INTERNAL'), [list])
  return (
    <Autocomplete
      size="small"
      options={options}
      value={chosen}
      onChange={(_, user) => onChange(user?.email ?? null)}
      getOptionLabel={fullName}
      getOptionKey={({ uuid }) => uuid}
      isOptionEqualToValue={(a, b) => a.uuid === b.uuid}
      filterOptions={filterPeople}
      disabled={disabled}
      autoHighlight
      noOptionsText={text('people.nobodyFound')}
      clearText={text('incidents.unassign')}
      openText={text('people.openList')}
      closeText={text('people.closeList')}
      renderOption={({ key, ...props }, user) => (
        <li key={key} {...props}>
          <PersonOption user={user} />
        </li>
      )}
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
