import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import InputLabel from '@mui/material/InputLabel'
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput'
import { useId } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'

export interface FormTextFieldProps extends Pick<
  OutlinedInputProps,
  'type' | 'autoComplete' | 'autoFocus' | 'endAdornment' | 'inputProps' | 'multiline' | 'minRows' | 'maxRows'
> {
  label: string
  field: UseFormRegisterReturn
  /** Error message for the value. */
  problem: string | undefined
}

/**
 * A text field registered with react-hook-form, outside react-admin's forms. Built from the parts of MUI's
 * `TextField`, which imports selects, menus and dialogs: 22 KB on every public page.
 */
export function FormTextField({ label, field, problem, ...input }: FormTextFieldProps) {
  const id = useId()
  const { ref, ...registered } = field
  const helpId = `${id}-help`
  return (
    <FormControl fullWidth error={problem !== undefined}>
      <InputLabel htmlFor={id}>{label}</InputLabel>
      <OutlinedInput
        {...input}
        {...registered}
        id={id}
        inputRef={ref}
        aria-describedby={problem === undefined ? undefined : helpId}
      />
      {problem !== undefined && <FormHelperText id={helpId}>{problem}</FormHelperText>}
    </FormControl>
  )
}
