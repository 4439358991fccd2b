import FormControl from '@mui/material/FormControl'
import InputLabel from '@mui/material/InputLabel'
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput'
import { useId } from 'react'

export interface FormSelectFieldProps {
  label: string
  value: string
  options: readonly { readonly value: string; readonly disabled?: boolean }[]
  onChange: (value: string) => void
}

/** `inputComponent` is typed for inputs and text areas only. */
const SELECT = 'select' as unknown as NonNullable<OutlinedInputProps['inputComponent']>

/**
 * The browser's own select, for public pages. MUI's `Select` and `NativeSelect` are in the chunk of menus and
 * dialogs, which would add 57 KB to a page.
 */
export function FormSelectField({ label, value, options, onChange }: FormSelectFieldProps) {
  const id = useId()
  const children = options.map((option) => (
    <option key={option.value} value={option.value} disabled={option.disabled}>
      {option.value}
    </option>
  ))
  return (
    <FormControl fullWidth>
      <InputLabel htmlFor={id}>{label}</InputLabel>
      <OutlinedInput
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        inputComponent={SELECT}
        inputProps={{ children }}
      />
    </FormControl>
  )
}
