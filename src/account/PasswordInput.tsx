import VisibilityOffRounded from '@mui/icons-material/VisibilityOffRounded'
import VisibilityRounded from '@mui/icons-material/VisibilityRounded'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'

import { useText } from '#src/kit/useText.ts'

interface Props {
  label: string
  field: UseFormRegisterReturn
  problem: string | undefined
  autoFocus?: boolean
  autoComplete?: 'new-password' | 'current-password'
}

/** A password that can be looked at while it is typed. */
export function PasswordInput({
  label,
  field,
  problem,
  autoFocus = false,
  autoComplete = 'new-password',
}: Props) {
  const text = useText()
  const [shown, setShown] = useState(false)
  const { ref, ...rest } = field
  return (
    <TextField
      {...rest}
      inputRef={ref}
      type={shown ? 'text' : 'password'}
      label={label}
      error={problem !== undefined}
      helperText={problem}
      autoFocus={autoFocus}
      slotProps={{
        htmlInput: { autoComplete, autoCapitalize: 'none', spellCheck: false, dir: 'ltr' },
        input: {
          endAdornment: (
            <InputAdornment position="end">
              <IconButton
                edge="end"
                size="small"
                aria-label={text(shown ? 'account.password.hide' : 'account.password.show')}
                aria-pressed={shown}
                onClick={() => setShown(!shown)}
              >
                {shown ? <VisibilityOffRounded /> : <VisibilityRounded />}
              </IconButton>
            </InputAdornment>
          ),
        },
      }}
    />
  )
}
