import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import TextField from '@mui/material/TextField'
import { useMemo } from 'react'

import { fullName, isSelectable } from '#contract/users/rules.ts'
import type { DirectoryUser } from '#contract/users/schema.ts'
import { Initials } from '#src/kit/Initials.tsx'
import { useText } from '#src/kit/useText.ts'

import { usePeople } from './queries.ts'

/** More are found by typing. */
const SHOWN = 50
export const filterPeople = createFilterOptions<DirectoryUser>({
  limit: SHOWN,
  trim: true,
  stringify: (user) => `${fullName(user)} ${user.email} ${user.department ?? ''}`,
})

/** A person in the list of a picker. */
export function PersonOption({ user }: { user: DirectoryUser }) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, minWidth: 0 }}>
      <Initials
        firstName={user.firstName}
        lastName={user.lastName}
        imageUrl={user.profileImageUrl}
        size={28}
      />
      <Box sx={{ minWidth: 0, lineHeight: 1.3 }}>
        <Box component="span" dir="auto" sx={{ display: 'block', overflowWrap: 'anywhere' }}>
          {fullName(user)}
        </Box>
        <Box
          component="span"
          sx={{ display: 'block', fontSize: '0.75rem', color: 'text.secondary', overflowWrap: 'anywhere' }}
        >
          {[user.email, user.department].filter(Boolean).join(' · ')}
        </Box>
      </Box>
    </Box>
  )
}

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
      noOptionsText={text('incidents.nobodyFound')}
      clearText={text('incidents.unassign')}
      openText={text('incidents.openList')}
      closeText={text('incidents.closeList')}
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
