import Box from '@mui/material/Box'
import type { FormEvent, ReactNode } from 'react'

import { SubmitButton } from '#src/kit/form/SubmitButton.tsx'

interface Props {
  onSubmit: () => void
  onInput?: () => void
  busy: boolean
  /** Disables submitting. */
  blocked?: boolean
  label: string
  busyLabel: string
  children: ReactNode
}

export function PublicForm({ onSubmit, onInput, busy, blocked = false, label, busyLabel, children }: Props) {
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!blocked) onSubmit()
  }
  return (
    <Box
      component="form"
      noValidate
      onSubmit={send}
      onInput={onInput}
      sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5, mt: 3 }}
    >
      {children}
      <SubmitButton
        fullWidth
        size="large"
        label={label}
        busyLabel={busyLabel}
        busy={busy}
        disabled={blocked}
      />
    </Box>
  )
}
