import Dialog from '@mui/material/Dialog'
import DialogTitle from '@mui/material/DialogTitle'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, useId } from 'react'

import { PHONE } from '#src/kit/resource/resourceLayout.ts'

interface Props {
  title: string
  children: ReactNode
  /** Called by Escape; without it only the buttons inside close the dialog. */
  onClose?: (() => void) | undefined
}

/** A dialog for codes. A click beside it does not close it: people come back with one from where they read the code. */
export function TwoFactorFrame({ title, children, onClose }: Props) {
  const titleId = useId()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  return (
    <Dialog
      open
      maxWidth="xs"
      fullScreen={phone}
      aria-labelledby={titleId}
      onClose={(_, reason) => reason === 'escapeKeyDown' && onClose?.()}
      {...(phone && { slotProps: { paper: { sx: { border: 0 } } } })}
    >
      <DialogTitle id={titleId}>{title}</DialogTitle>
      {children}
    </Dialog>
  )
}
