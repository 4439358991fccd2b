import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { useRef } from 'react'

import { useCopied } from '../browser/useCopied.ts'
import { useText } from '../useText.ts'

interface Props {
  label: string
  value: string
  /** Name of the button. */
  copyLabel: string
}

/** A value to copy. It is selected where the browser does not allow copying. */
export function CopyField({ label, value, copyLabel }: Props) {
  const text = useText()
  const field = useRef<HTMLInputElement>(null)
  const { isCopied, copy } = useCopied(value)
  return (
    <Box sx={{ display: 'flex', alignItems: 'flex-end', gap: 1 }}>
      <TextField
        label={label}
        value={value}
        inputRef={field}
        fullWidth
        slotProps={{ htmlInput: { readOnly: true, dir: 'ltr' } }}
        onFocus={({ target }) => target.select()}
      />
      <Button
        aria-label={copyLabel}
        onClick={() => void copy().catch(() => field.current?.select())}
        sx={{ flex: 'none', minHeight: 44 }}
      >
        {text(isCopied ? 'grid.copied' : 'grid.copy')}
      </Button>
    </Box>
  )
}
