import Autocomplete from '@mui/material/Autocomplete'
import Chip from '@mui/material/Chip'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import TextField from '@mui/material/TextField'
import { type Ref, useMemo, useState } from 'react'

import { fullName, isTargetable } from '#contract/users/rules.ts'
import type { DirectoryUser } from '#contract/users/schema.ts'
import { useText } from '#src/kit/useText.ts'
import { filterPeople, PersonOption } from '#src/shared/PersonOption.tsx'
import { usePeople } from '#src/shared/usePeople.ts'

interface Props {
  label: string
  /** Addresses. */
  value: readonly string[]
  onChange: (emails: string[]) => void
  error?: string | undefined
  inputRef?: Ref<HTMLInputElement>
}

/** Chooses the people whom an incident targets. People from outside show once they are asked for. */
export function PeoplePicker({ label, value, onChange, error, inputRef }: Props) {
  const text = useText()
  const { list, byEmail } = usePeople()
  const targetable = useMemo(() => list.filter(isTargetable), [list])
  const chosen = value.flatMap((email) => byEmail.get(email) ?? [])
  const hasExternals = targetable.some(({ type }) => type === 'EXTERNAL')
  const [externals, setExternals] = useState(() => chosen.some(({ type }) => type === 'EXTERNAL'))
  const options = useMemo(
    () => (externals ? targetable : targetable.filter(({ type }) => type === 'INTERNAL')),
    [targetable, externals],
  )
  const nameOf = (user: DirectoryUser) =>
    user.type === 'EXTERNAL' ? text('incidents.external', { name: fullName(user) }) : fullName(user)
  return (
    <div>
      <Autocomplete
        multiple
        size="small"
        options={options}
        value={chosen}
        onChange={(_, users) => onChange(users.map(({ email }) => email))}
        getOptionLabel={nameOf}
        getOptionKey={({ uuid }) => uuid}
        isOptionEqualToValue={(a, b) => a.uuid === b.uuid}
        filterOptions={filterPeople}
        filterSelectedOptions
        disableCloseOnSelect
        autoHighlight
        limitTags={12}
        noOptionsText={text('incidents.nobodyFound')}
        clearText={text('incidents.clearPeople')}
        openText={text('incidents.openList')}
        closeText={text('incidents.closeList')}
        renderOption={({ key, ...props }, user) => (
          <li key={key} {...props}>
            <PersonOption user={user} />
          </li>
        )}
        renderValue={(users, getItemProps) =>
          users.map((user, index) => {
            const { key, ...props } = getItemProps({ index })
            return <Chip key={key} size="small" label={nameOf(user)} {...props} />
          })
        }
        renderInput={(params) => (
          <TextField
            {...params}
            {...(inputRef && { inputRef })}
            label={label}
            error={error !== undefined}
            helperText={error}
          />
        )}
      />
      {hasExternals && (
        <FormControlLabel
          control={
            <Switch
              size="small"
              sx={{ '& .MuiSwitch-thumb': { border: 1, borderColor: 'background.edge', boxShadow: 'none' } }}
              checked={externals}
              onChange={(_, checked) => setExternals(checked)}
            />
          }
          label={text('incidents.showExternals')}
          sx={{ mt: 0.5, ml: 0, gap: 1 }}
        />
      )}
    </div>
  )
}
