import Button from '@mui/material/Button'
import type { StarterPlaybook } from '#contract/playbooks/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { DialogFrame } from './DialogFrame.tsx'

interface Props {
  open: boolean
  onChoose: (starter: StarterPlaybook) => void
  onClose: () => void
}

export function StartersDialog({ open, onClose }: Props) {
  const text = useText()
  if (!open) return null
  return (
    <DialogFrame
      title={text('playbookDialogs.startersTitle')}
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
