import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { type Control, useController } from 'react-hook-form'

import { useText } from '#src/kit/useText.ts'

import type { Draft } from './queries.ts'

/** A correction that is prepared with the notification, folded until it is wanted. */
export function CorrectionField({ control }: { control: Control<Draft> }) {
  const text = useText()
  const { field, fieldState } = useController({ control, name: 'correction' })
  const { ref, ...input } = field
  const [wanted, setWanted] = useState(false)
  const problem = fieldState.error?.message
  // Drafts of earlier releases lack it.
  const isOpen = wanted || Boolean(field.value) || problem !== undefined
  if (!isOpen)
    return (
      <Button
        aria-expanded={false}
        endIcon={<ExpandMoreRounded />}
        onClick={() => setWanted(true)}
        sx={{ justifySelf: 'start', minHeight: 44, ml: -1 }}
      >
        {text('massNotifications.prepareCorrection')}
      </Button>
    )
  return (
    <TextField
      {...input}
      value={field.value ?? ''}
      inputRef={ref}
      label={text('massNotifications.correctionWords')}
      // The button that had the focus is gone.
      autoFocus={wanted}
      multiline
      minRows={2}
      maxRows={6}
      error={problem !== undefined}
      helperText={problem ?? text('massNotifications.correctionHelp')}
      slotProps={{ htmlInput: { dir: 'auto' } }}
    />
  )
}
