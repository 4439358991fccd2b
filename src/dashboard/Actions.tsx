import AddAlertRounded from '@mui/icons-material/AddAlertRounded'
import EditNoteRounded from '@mui/icons-material/EditNoteRounded'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'

import type { Dashboard } from '#contract/dashboard/schema.ts'
import { incidentsApi } from '#contract/incidents/api.ts'
import { creatableKinds } from '#contract/incidents/rules.ts'
import { allows } from '#contract/kit/access.ts'
import { callerOf, useSession } from '#providers/session.ts'
import { ActionTile } from '#src/kit/ActionTile.tsx'
import { useText } from '#src/kit/useText.ts'

import { inProgressPath } from './StateBanner.tsx'

/** What can be done from here, as far as the visitor may (foundation §6 "Dashboard tile rules"). */
export function Actions({ dashboard }: { dashboard: Dashboard }) {
  const text = useText()
  const session = useSession()
  const { incidentsCount, exercisesCount } = dashboard
  if (!allows(incidentsApi.create.access, callerOf(session))) return null
  const kinds = creatableKinds(
    { incidents: incidentsCount, exercises: exercisesCount },
    session.organisation?.config.multiIncident ?? false,
  )
  const blocked = !kinds.incident && !kinds.exercise
  const idle = incidentsCount + exercisesCount === 0
  return (
    <section>
      <Typography variant="h3" component="h2" sx={{ mb: 1.5 }}>
        {text('dashboard.actions')}
      </Typography>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(320px, 100%), 1fr))',
        }}
      >
        <ActionTile
          icon={AddAlertRounded}
          name={text('dashboard.createIncident')}
          line={text(blocked ? 'dashboard.createIncidentBlocked' : 'dashboard.createIncidentText')}
          to="/incidents/create"
          disabled={blocked}
        />
        <ActionTile
          icon={EditNoteRounded}
          name={text('dashboard.updateIncident')}
          line={text(idle ? 'dashboard.updateIncidentBlocked' : 'dashboard.updateIncidentText')}
          to={inProgressPath(dashboard)}
          disabled={idle}
        />
      </Box>
    </section>
  )
}
