import EditRounded from '@mui/icons-material/EditRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Link } from 'react-router-dom'

import { incidentsApi } from '#contract/incidents/api.ts'
import { incidentCan } from '#contract/incidents/rules.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { useAllowed } from './queries.ts'
import { ReportButton } from './ReportButton.tsx'
import { ResolveButton } from './ResolveButton.tsx'

/** What can be done to the incident itself. */
export function IncidentActions({ incident }: { incident: Incident }) {
  const text = useText()
  const mayChange = useAllowed(incidentsApi.update)
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {mayChange && incidentCan.edit(incident) && (
        <Button
          component={Link}
          to={`/incidents/${incident.id}/edit`}
          variant="outlined"
          color="inherit"
          startIcon={<EditRounded />}
        >
          {text('incidents.editIncident')}
        </Button>
      )}
      <ReportButton id={incident.id} />
      {mayChange && incidentCan.resolve(incident) && <ResolveButton incident={incident} />}
    </Box>
  )
}
