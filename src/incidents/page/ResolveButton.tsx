import TaskAltRounded from '@mui/icons-material/TaskAltRounded'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { isIncomplete } from '#contract/incidents/rules.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { useUpdateIncident } from '../queries.ts'

/** Resolves an incident after a confirmation, and goes to the dashboard. */
export function ResolveButton({ incident }: { incident: Incident }) {
  const text = useText()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const update = useUpdateIncident(incident.id)
  const open = incident.activities.filter(isIncomplete).length
  const resolve = async () => {
    await update.mutateAsync({ isActive: false })
    void navigate('/')
  }
  return (
    <>
      <Button variant="outlined" startIcon={<TaskAltRounded />} onClick={() => setAsking(true)}>
        {text('incidents.resolve')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={text(incident.isTabletop ? 'incidents.resolveExerciseTitle' : 'incidents.resolveTitle')}
        text={
          <>
            {text('incidents.resolveText', { title: incident.title })}
            {open > 0 && ` ${text('incidents.resolveOpen', { smart_count: open })}`}
          </>
        }
        submitLabel={text('incidents.resolve')}
        onSubmit={resolve}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
