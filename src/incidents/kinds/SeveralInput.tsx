import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useInput } from 'react-admin'

import type { TextKey } from '#providers/i18nProvider.ts'
import { messageIn } from '#src/kit/form/formRules.ts'
import { useText } from '#src/kit/useText.ts'

interface Props {
  source: string
  label: TextKey
  choices: readonly { readonly id: string; readonly name: string }[]
  /** Shown while nothing is chosen. */
  none: string
}

/** Several of a few choices in a form. Values without a choice, such as deleted records, are left out. */
export function SeveralInput({ source, label, choices, none }: Props) {
  const text = useText()
  const { id, field, fieldState } = useInput({ source, format: undefined, parse: undefined })
  const value = ((field.value ?? []) as readonly string[]).filter((one) =>
    choices.some((choice) => choice.id === one),
  )
  const problem = messageIn(fieldState.error)
  return (
    <TextField
      select
      id={id}
      name={field.name}
      label={text(label)}
      value={value}
      onChange={({ target }) => field.onChange(target.value)}
      onBlur={field.onBlur}
      inputRef={field.ref}
      error={problem !== undefined}
      helperText={problem}
      slotProps={{
        select: {
          multiple: true,
          displayEmpty: true,
          renderValue: (chosen) =>
            choices
              .filter((choice) => (chosen as string[]).includes(choice.id))
              .map(({ name }) => name)
              .join(', ') || none,
        },
      }}
    >
      {choices.map((choice) => (
        <MenuItem key={choice.id} value={choice.id} sx={{ whiteSpace: 'normal' }}>
          {choice.name}
        </MenuItem>
      ))}
    </TextField>
  )
}
