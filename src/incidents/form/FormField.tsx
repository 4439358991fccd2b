import TextField, { type TextFieldProps } from '@mui/material/TextField'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'

type Props<T extends FieldValues> = Pick<
  TextFieldProps,
  | 'label'
  | 'multiline'
  | 'minRows'
  | 'maxRows'
  | 'select'
  | 'children'
  | 'autoFocus'
  | 'required'
  | 'helperText'
  | 'type'
> & {
  control: Control<T>
  name: FieldPath<T>
}

/** A text field whose error replaces its help text. */
export function FormField<T extends FieldValues>({
  control,
  name,
  helperText,
  required,
  ...props
}: Props<T>) {
  const { field, fieldState } = useController({ control, name })
  const { ref, ...input } = field
  return (
    <TextField
      {...props}
      {...input}
      inputRef={ref}
      error={fieldState.error !== undefined}
      helperText={fieldState.error?.message ?? helperText}
      slotProps={{
        htmlInput: { dir: 'auto', 'aria-required': required },
        inputLabel: { required: required ?? false },
      }}
    />
  )
}
