import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { type Ref, useId } from 'react'

import { TIME_UNITS, type TimeUnit } from '#contract/incidents/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { readTime, type TypedTime } from './typedTime.ts'

interface Props {
  label: string
  value: TypedTime
  onChange: (time: TypedTime) => void
  onBlur?: () => void
  inputRef?: Ref<HTMLInputElement>
  error?: string | undefined
  help?: string
}

/** A number with its unit, as one field. */
export function TimeFields({ label, value, onChange, onBlur, inputRef, error, help }: Props) {
  const text = useText()
  const id = useId()
  const labelId = `${id}-label`
  const helpId = `${id}-help`
  return (
    <Box
      component="fieldset"
      aria-labelledby={labelId}
      aria-describedby={helpId}
      sx={{ m: 0, p: 0, border: 0, minWidth: 0 }}
    >
      <Box component="label" id={labelId} htmlFor={id} sx={{ display: 'block', mb: 0.5, fontWeight: 600 }}>
        {label}
      </Box>
      <Box sx={{ display: 'flex', gap: 1 }}>
        <TextField
          id={id}
          value={value.amount}
          onChange={(event) => onChange({ ...value, amount: event.target.value })}
          onBlur={() => {
            const read = readTime(value)
            if (read !== value) onChange(read)
            onBlur?.()
          }}
          {...(inputRef && { inputRef })}
          error={error !== undefined}
          slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'off', 'aria-describedby': helpId } }}
          sx={{ flex: '1 1 80px', minWidth: 72 }}
        />
        <TextField
          select
          value={value.unit}
          onChange={(event) => onChange({ ...value, unit: event.target.value as TimeUnit })}
          slotProps={{ select: { SelectDisplayProps: { 'aria-label': text('incidents.unit') } } }}
          sx={{ flex: '1 1 104px' }}
        >
          {TIME_UNITS.map((unit) => (
            <MenuItem key={unit} value={unit}>
              {text(`incidents.units.${unit}`)}
            </MenuItem>
          ))}
        </TextField>
      </Box>
      <FormHelperText id={helpId} error={error !== undefined}>
        {error ?? help}
      </FormHelperText>
    </Box>
  )
}
