import TextField from '@mui/material/TextField'
import type { Ref } from 'react'

interface Props {
  /** 0 while nothing is entered. */
  value: number
  onChange: (minutes: number) => void
  /** Name of a field without a visible label. */
  label?: string
  visibleLabel?: string
  isWrong: boolean
  help?: string | undefined
  inputRef?: Ref<HTMLInputElement>
}

/** Digits of the longest number of minutes. */
const DIGITS = 4

/** A number of minutes. */
export const MinutesField = ({ value, onChange, label, visibleLabel, isWrong, help, inputRef }: Props) => (
  <TextField
    size="small"
    {...(visibleLabel !== undefined && { label: visibleLabel })}
    value={value === 0 ? '' : value}
    onChange={(event) => onChange(Number(event.target.value.replace(/\D/g, '').slice(0, DIGITS)))}
    error={isWrong}
    helperText={help}
    {...(inputRef && { inputRef })}
    slotProps={{
      htmlInput: {
        inputMode: 'numeric',
        autoComplete: 'off',
        ...(label !== undefined && { 'aria-label': label }),
      },
    }}
  />
)
