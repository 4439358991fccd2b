import VisibilityOffRounded from '@mui/icons-material/VisibilityOffRounded'
import VisibilityRounded from '@mui/icons-material/VisibilityRounded'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import { useState } from 'react'

import { credentials as texts } from '#providers/i18n/credentials.ts'

import { FormTextField, type FormTextFieldProps } from './FormTextField.tsx'

interface Props extends Omit<FormTextFieldProps, 'type' | 'inputProps' | 'endAdornment'> {
  autoComplete?: 'new-password' | 'current-password'
}

/** A password field with a button that reveals it. */
export function PasswordInput({ autoComplete = 'new-password', ...props }: Props) {
  const [isShown, setIsShown] = useState(false)
  const toggle = (
    <InputAdornment position="end">
      <IconButton
        edge="end"
        size="small"
        aria-label={isShown ? texts.hidePassword : texts.showPassword}
        aria-pressed={isShown}
        onClick={() => setIsShown(!isShown)}
      >
        {isShown ? <VisibilityOffRounded /> : <VisibilityRounded />}
      </IconButton>
    </InputAdornment>
  )
  return (
    <FormTextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoComplete={autoComplete}
      inputProps={{ required: true, autoCapitalize: 'none', spellCheck: false, dir: 'ltr' }}
      endAdornment={toggle}
    />
  )
}
