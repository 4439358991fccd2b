import Button from '@mui/material/Button'

import { useText } from '#src/kit/useText.ts'

import { DialogFrame } from './DialogFrame.tsx'

interface Props {
  open: boolean
  /** The ids of the playbooks that were made. */
  onCreated: (playbookIds: string[]) => void
  onClose: () => void
}

export function ImportDialog({ open, onClose }: Props) {
  const text = useText()
  if (!open) return null
  return (
    <DialogFrame
      title={text('playbookDialogs.importTitle')}
      onClose={onClose}
      actions={
        <Button color="inherit" onClick={onClose}>
          {text('kit.close')}
        </Button>
      }
    >
      {null}
    </DialogFrame>
  )
}
