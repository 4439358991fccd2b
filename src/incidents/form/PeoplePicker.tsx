import Autocomplete from '@mui/material/Autocomplete'
import Chip from '@mui/material/Chip'
import TextField from '@mui/material/TextField'
import { type Ref, useMemo } from 'react'

import { usePeople } from '#providers/people.ts'
import { useText } from '#src/kit/useText.ts'
import { useChoosable } from '#src/users/useChoosable.tsx'

interface Props {
  label: string
  /** Email addresses. */
  value: readonly string[]
  onChange: (emails: string[]) => void
  error?: string | undefined
  help?: string
  /** Offers external people alone. */
  isExternal?: boolean
  inputRef?: Ref<HTMLInputElement>
}

/** Chooses the people whom an incident targets. External people are listed on demand. */
export function PeoplePicker({ label, value, onChange, error, help, isExternal = false, inputRef }: Props) {
  const text = useText()
  const { find, nameOf } = usePeople()
  const { picker, externalsSwitch } = useChoosable({ isTargetable: true, isExternal, chosen: value })
  // Autocomplete takes a new array for a new value, and clears the typed text.
  const chosen = useMemo(() => [...value], [value])
  const labelOf = (email: string) =>
    find(email)?.type === 'EXTERNAL' ? text('incidents.external', { name: nameOf(email) }) : nameOf(email)
  return (
    <div>
      <Autocomplete
        {...picker}
        multiple
        size="small"
        value={chosen}
        onChange={(_, emails) => onChange(emails)}
        getOptionLabel={labelOf}
        // The server filters by text; chosen people are not offered again.
        filterOptions={(emails) => emails.filter((email) => !value.includes(email))}
        disableCloseOnSelect
        limitTags={12}
        clearText={text('incidents.clearPeople')}
        renderValue={(emails, getItemProps) =>
          emails.map((email, index) => {
            const { key, ...props } = getItemProps({ index })
            return <Chip key={key} size="small" label={labelOf(email)} {...props} />
          })
        }
        renderInput={(params) => (
          <TextField
            {...params}
            {...(inputRef && { inputRef })}
            label={label}
            error={error !== undefined}
            helperText={error ?? help}
          />
        )}
      />
      {externalsSwitch}
    </div>
  )
}
