import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useInput } from 'react-admin'

import type { TextKey } from '#providers/i18nProvider.ts'

import { useText } from '../useText.ts'

export interface Choice {
  readonly value: string
  readonly label: string
  /** Shown below the label in the list, and below the field once chosen. */
  readonly description?: string
}
interface Props {
  source: string
  label: TextKey
  choices: readonly Choice[]
  required?: boolean
}

/** A field with a few choices in a form. */
export function SelectInput({ source, label, choices, required = false }: Props) {
  const text = useText()
  const { id, field, fieldState } = useInput({ source })
  const problem = fieldState.error?.message
  const chosen = choices.find(({ value }) => value === field.value)
  return (
    <TextField
      select
      id={id}
      name={field.name}
      // The field stays empty instead of invalid while the choices load.
      value={chosen ? field.value : ''}
      onChange={field.onChange}
      onBlur={field.onBlur}
      inputRef={field.ref}
      label={text(label)}
      required={required}
      error={problem !== undefined}
      helperText={problem ?? chosen?.description}
      slotProps={{ select: { renderValue: () => chosen?.label } }}
    >
      {choices.map(({ value, label: name, description }) => (
        <MenuItem key={value} value={value} sx={{ display: 'block', whiteSpace: 'normal', maxWidth: 550 }}>
          {name}
          {description && (
            <Box component="small" sx={{ display: 'block', fontSize: '0.75rem', color: 'text.secondary' }}>
              {description}
            </Box>
          )}
        </MenuItem>
      ))}
    </TextField>
  )
}
