import Button from '@mui/material/Button'
import type { PlaybookTemplate } from '#contract/playbooks/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { DialogFrame } from './DialogFrame.tsx'

interface Props {
  open: boolean
  playbook: PlaybookTemplate
  canRestore: boolean
  onClose: () => void
}

export function VersionsDialog({ open, onClose }: Props) {
  const text = useText()
  if (!open) return null
  return (
    <DialogFrame
      title={text('playbookDialogs.versionsTitle')}
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
