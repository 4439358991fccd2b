import EditRounded from '@mui/icons-material/EditRounded'
import Box from '@mui/material/Box'

import { chatAccess } from '#contract/chat/access.ts'
import { incidentsApi } from '#contract/incidents/api.ts'
import { incidentCan } from '#contract/incidents/rules.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { useCan } from '#providers/useCan.ts'
import { useText } from '#src/kit/useText.ts'

import { CallButton } from './CallButton.tsx'
import { QuietButton } from './QuietButton.tsx'
import { ReportButton } from '../report/ReportButton.tsx'
import { ResolveButton } from './ResolveButton.tsx'
import { RoomButton } from './RoomButton.tsx'

export function IncidentActions({ incident }: { incident: Incident }) {
  const text = useText()
  const can = useCan()
  const mayChange = can(incidentsApi.update.access)
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, flex: { xs: '1 1 100%', sm: 'none' } }}>
      {can(chatAccess) && <RoomButton incident={incident} />}
      <CallButton incident={incident} />
      {mayChange && incidentCan.edit(incident) && (
        <QuietButton
          icon={<EditRounded />}
          label={text('incidents.editIncident')}
          to={`/incidents/${incident.id}/edit`}
        />
      )}
      <ReportButton id={incident.id} />
      {mayChange && incidentCan.resolve(incident) && (
        // Irreversible, so it stands apart from the other actions.
        <Box sx={{ ml: { xs: 'auto', sm: 1 }, pl: 2, borderInlineStart: 1, borderColor: 'divider' }}>
          <ResolveButton incident={incident} />
        </Box>
      )}
    </Box>
  )
}
