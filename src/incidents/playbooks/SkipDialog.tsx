import TextField from '@mui/material/TextField'
import { useState } from 'react'

import type { IncidentCondition } from '#contract/incident-playbooks/schema.ts'
import { MEDIUM_TEXT_MAX } from '#contract/kit/text.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { useDecide } from './queries.ts'

interface Props {
  incidentId: string
  condition: IncidentCondition
  onClose: () => void
}

/** Skips the tasks below a heading, with a reason. */
export function SkipDialog({ incidentId, condition: { id, title }, onClose }: Props) {
  const text = useText()
  const decide = useDecide(incidentId)
  const [reason, setReason] = useState('')
  return (
    <ConfirmDialog
      open
      title={text('incidents.skipTitle')}
      text={text('incidents.skipText', { title })}
      submitLabel={text('incidents.skipSubmit')}
      disabled={reason.trim() === ''}
      onSubmit={() => decide.mutateAsync({ id, answer: 'SKIPPED', reason: reason.trim() })}
      onClose={onClose}
    >
      <TextField
        label={text('incidents.skipReason')}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        required
        autoFocus
        fullWidth
        multiline
        maxRows={6}
        sx={{ mt: 2 }}
        slotProps={{ htmlInput: { dir: 'auto', maxLength: MEDIUM_TEXT_MAX } }}
      />
    </ConfirmDialog>
  )
}
