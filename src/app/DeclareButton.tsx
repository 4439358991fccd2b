import AddAlertRounded from '@mui/icons-material/AddAlertRounded'
import Box from '@mui/material/Box'
import { useNotify } from 'react-admin'
import type { MouseEvent } from 'react'
import { Link } from 'react-router-dom'

import { dashboardApi } from '#contract/dashboard/api.ts'
import { creatableKinds } from '#contract/incidents/rules.ts'
import { useSession } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'
import { useDashboard } from '#src/dashboard/queries.ts'
import { useText } from '#src/kit/useText.ts'

/** An entry of the bar at the bottom: its icon above its name. */
export const BAR_ENTRY = {
  flex: 1,
  display: 'grid',
  placeContent: 'center',
  justifyItems: 'center',
  gap: 0.25,
  minWidth: 0,
  // Five names share a phone's width, with the largest text as well.
  fontSize: 'min(0.75rem, 3.9vw)',
  '& svg': { fontSize: 'min(1.25rem, 24px)' },
  textDecoration: 'none',
} as const

/** Declares an incident from every page of a phone, in the middle of the bar at the bottom. */
export function DeclareButton() {
  const text = useText()
  const notify = useNotify()
  const enabled = useCan()(dashboardApi.get.access)
  const { data } = useDashboard({ enabled })
  const multiIncident = useSession().organisation?.config.multiIncident ?? false
  const { incidentsCount: incidents = 0, exercisesCount: exercises = 0 } = data ?? {}
  const kinds = creatableKinds({ incidents, exercises }, multiIncident)
  const blocked = !kinds.incident && !kinds.exercise
  return (
    <Box
      component={Link}
      to="/incidents/create"
      aria-disabled={blocked || undefined}
      onClick={(event: MouseEvent) => {
        if (!blocked) return
        event.preventDefault()
        notify(text('dashboard.createIncidentBlocked'), { type: 'info' })
      }}
      sx={{
        ...BAR_ENTRY,
        fontWeight: 600,
        color: 'text.primary',
        '& > span': {
          display: 'grid',
          placeItems: 'center',
          width: 48,
          height: 28,
          borderRadius: '14px',
          bgcolor: blocked ? 'action.disabledBackground' : 'primary.main',
          color: blocked ? 'text.secondary' : 'primary.contrastText',
        },
        '@media (forced-colors: active)': { '& > span': { border: '1px solid' } },
      }}
    >
      <span>
        <AddAlertRounded />
      </span>
      {text('app.declare')}
    </Box>
  )
}
