import Autocomplete from '@mui/material/Autocomplete'
import Chip from '@mui/material/Chip'
import TextField from '@mui/material/TextField'
import type { Ref } from 'react'

import { fullName, isTargetable } from '#contract/users/rules.ts'
import type { DirectoryUser } from '#contract/users/schema.ts'
import { useText } from '#src/kit/useText.ts'
import { useChoosable } from '#src/shared/useChoosable.tsx'
import type { People } from '#src/shared/usePeople.ts'
import { usePersonOptions } from '#src/shared/usePersonOptions.tsx'

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
  const personOptions = usePersonOptions()
  const chosenOf = ({ byEmail }: People) => value.flatMap((email) => byEmail.get(email) ?? [])
  const { people, choosable, externalsSwitch } = useChoosable(isTargetable, (all) =>
    chosenOf(all).some(({ type }) => type === 'EXTERNAL'),
  )
  const chosen = chosenOf(people)
  const nameOf = (user: DirectoryUser) =>
    user.type === 'EXTERNAL' ? text('incidents.external', { name: fullName(user) }) : fullName(user)
  return (
    <div>
      <Autocomplete
        {...personOptions}
        multiple
        size="small"
        options={choosable}
        value={chosen}
        onChange={(_, users) => onChange(users.map(({ email }) => email))}
        getOptionLabel={nameOf}
        filterSelectedOptions
        disableCloseOnSelect
        limitTags={12}
        clearText={text('incidents.clearPeople')}
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
      {externalsSwitch}
    </div>
  )
}
