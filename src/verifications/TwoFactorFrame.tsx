import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId } from 'react'

import { SheetDialog } from '#src/kit/feedback/SheetDialog.tsx'

interface Props {
  title: string
  children: ReactNode
  /** Called on Escape; without it only the buttons inside close the dialog. */
  onClose?: (() => void) | undefined
}

/**
 * A dialog for codes. A click on the backdrop does not close it, because people click back from where they read the code.
 */
export function TwoFactorFrame({ title, children, onClose }: Props) {
  const titleId = useId()
  return (
    <SheetDialog
      open
      maxWidth="xs"
      aria-labelledby={titleId}
      onClose={(_, reason) => reason === 'escapeKeyDown' && onClose?.()}
    >
      <DialogTitle id={titleId}>{title}</DialogTitle>
      {children}
    </SheetDialog>
  )
}
