import Box from '@mui/material/Box'
import { useState } from 'react'

import type { Incident } from '#contract/incidents/schema.ts'
import { corrections as words } from '#providers/i18n/corrections.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'

import { ReasonField } from './ReasonField.tsx'
import { useReopen } from './queries.ts'

/** Reopens a resolved incident, with a reason. */
export function ReopenDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const reopen = useReopen(incident.id)
  const [reason, setReason] = useState('')
  return (
    <ConfirmDialog
      open
      title={words.reopenTitle[incident.type]}
      text={words.reopenText(incident.title)}
      submitLabel={words.reopenSubmit}
      disabled={reason.trim() === ''}
      onSubmit={() => reopen.mutateAsync(reason)}
      onClose={onClose}
    >
      <Box sx={{ mt: 2 }}>
        <ReasonField value={reason} onChange={setReason} isRequired />
      </Box>
    </ConfirmDialog>
  )
}
