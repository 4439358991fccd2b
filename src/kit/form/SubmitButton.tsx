import Button, { type ButtonProps } from '@mui/material/Button'

import { onceClicked } from './onceClicked.ts'

interface Props extends Pick<ButtonProps, 'disabled' | 'form' | 'fullWidth' | 'size' | 'onMouseDown'> {
  label: string
  /** Label while the form is sent. */
  busyLabel: string
  busy: boolean
}

/** Submits its form. Focusable while busy, so that the keyboard focus is not lost. */
export const SubmitButton = ({ label, busyLabel, busy, disabled = false, ...button }: Props) => (
  <Button
    {...button}
    type="submit"
    variant="contained"
    disabled={disabled}
    aria-disabled={busy || disabled}
    onClick={onceClicked}
    sx={{ '&[aria-disabled="true"]': { cursor: 'progress', opacity: 0.75 }, '&:disabled': { opacity: 1 } }}
  >
    {busy ? busyLabel : label}
  </Button>
)
