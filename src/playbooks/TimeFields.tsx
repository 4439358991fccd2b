import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { type Ref, useId } from 'react'

import { MINUTES_IN } from '#contract/incidents/rules.ts'
import { RECOVERY_TIME_MAX, TIME_UNITS, type TimeUnit } from '#contract/incidents/schema.ts'
import { useText } from '#src/kit/useText.ts'

/** Typed time; an empty amount means none. */
export interface TypedTime {
  readonly amount: string
  readonly unit: TimeUnit
}

/** The typed whole number; null when empty, NaN when invalid. */
export function amountOf({ amount }: TypedTime): number | null {
  const bare = amount.trim()
  if (bare === '') return null
  const value = /^\d{1,9}$/.test(bare) ? Number(bare) : Number.NaN
  return value >= 1 && value <= RECOVERY_TIME_MAX ? value : Number.NaN
}
/** The typed time in minutes; null when empty, NaN when invalid or beyond the limit. */
export function minutesOf(time: TypedTime): number | null {
  const amount = amountOf(time)
  const minutes = amount === null ? null : amount * MINUTES_IN[time.unit]
  return minutes !== null && minutes > RECOVERY_TIME_MAX ? Number.NaN : minutes
}
/** Minutes in the largest unit that divides them. */
export function typedTime(minutes: number | null): TypedTime {
  if (minutes === null) return { amount: '', unit: 'MINUTES' }
  const unit = (['DAYS', 'HOURS'] as const).find((one) => minutes % MINUTES_IN[one] === 0) ?? 'MINUTES'
  return { amount: String(minutes / MINUTES_IN[unit]), unit }
}

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
          {...(onBlur && { onBlur })}
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
