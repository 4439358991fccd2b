import Box from '@mui/material/Box'
import { useState } from 'react'
import { useNotify } from 'react-admin'

import type { Incident } from '#contract/incidents/schema.ts'
import { corrections as words } from '#providers/i18n/corrections.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'

import { SeverityField } from '../form/SeverityField.tsx'
import { useUpdateIncident } from '../queries.ts'
import { ReasonField } from './ReasonField.tsx'

/** Changes the severity of a running incident. A change that somebody else saved since is not overwritten. */
export function SeverityDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const notify = useNotify()
  const update = useUpdateIncident(incident.id)
  // The version as the dialog opened, so that what changes meanwhile is a conflict.
  const [opened] = useState(incident)
  const [severity, setSeverity] = useState(opened.severity)
  const [reason, setReason] = useState('')
  const submit = async () => {
    await update.mutateAsync({ severity, reason, version: opened.version })
    notify(words.severityChanged, { type: 'success' })
  }
  return (
    <ConfirmDialog
      open
      title={words.severityTitle}
      text={words.severityText(opened.title)}
      submitLabel={words.severitySubmit}
      disabled={severity === opened.severity}
      onSubmit={submit}
      onClose={onClose}
    >
      <Box sx={{ mt: 2, display: 'grid', gap: 2 }}>
        <SeverityField value={severity} exercise={opened.isTabletop} onChange={setSeverity} />
        <ReasonField value={reason} onChange={setReason} />
      </Box>
    </ConfirmDialog>
  )
}
