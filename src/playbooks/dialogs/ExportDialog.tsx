import Button from '@mui/material/Button'

import { useText } from '#src/kit/useText.ts'

import { DialogFrame } from './DialogFrame.tsx'

interface Props {
  open: boolean
  onClose: () => void
}

export function ExportDialog({ open, onClose }: Props) {
  const text = useText()
  if (!open) return null
  return (
    <DialogFrame
      title={text('playbookDialogs.exportTitle')}
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
