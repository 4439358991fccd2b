import CrisisAlertRounded from '@mui/icons-material/CrisisAlertRounded'
import SchoolRounded from '@mui/icons-material/SchoolRounded'
import VerifiedUserRounded from '@mui/icons-material/VerifiedUserRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { ComponentType } from 'react'
import { Link } from 'react-router-dom'

import type { Dashboard } from '#contract/dashboard/schema.ts'
import { incidentsApi } from '#contract/incidents/api.ts'
import { allows } from '#contract/kit/access.ts'
import type { TextKey } from '#providers/i18nProvider.ts'
import { callerOf, useSession } from '#providers/session.ts'
import { Time } from '#src/kit/Time.tsx'
import { useText } from '#src/kit/useText.ts'

interface State {
  readonly color: 'error' | 'warning' | 'success'
  readonly icon: ComponentType
  readonly count: number
  readonly sentence: TextKey
  readonly button: TextKey
}

/** The organisation's state: an incident outweighs an exercise (foundation §2). */
export function stateOf({ incidentsCount, exercisesCount }: Dashboard): State {
  if (incidentsCount > 0)
    return {
      color: 'error',
      icon: CrisisAlertRounded,
      count: incidentsCount,
      sentence: 'dashboard.incidents',
      button: incidentsCount > 1 ? 'dashboard.viewIncidents' : 'dashboard.viewIncident',
    }
  if (exercisesCount > 0)
    return {
      color: 'warning',
      icon: SchoolRounded,
      count: exercisesCount,
      sentence: 'dashboard.exercises',
      button: exercisesCount > 1 ? 'dashboard.viewExercises' : 'dashboard.viewExercise',
    }
  return {
    color: 'success',
    icon: VerifiedUserRounded,
    count: 0,
    sentence: 'dashboard.safe',
    button: 'dashboard.viewIncidents',
  }
}

/** The list, or the one incident or exercise that there is. */
export const inProgressPath = (dashboard: Dashboard): string =>
  stateOf(dashboard).count === 1 && dashboard.activeIncident
    ? `/incidents/${dashboard.activeIncident.id}`
    : '/incidents'

/** What is in progress, by name; safety needs one sentence only. */
function Details({ dashboard, count }: { dashboard: Dashboard; count: number }) {
  const text = useText()
  const active = dashboard.activeIncident
  if (!active) return text('dashboard.safeText')
  return (
    <>
      <Box component="span" dir="auto" sx={{ display: 'block', overflowWrap: 'anywhere' }}>
        {active.title}
        {count > 1 && ` ${text('app.more', { count: count - 1 })}`}
      </Box>
      <Box component="span" sx={{ display: 'block', opacity: 0.9 }}>
        {text('dashboard.started')} <Time at={active.createTimestamp} />
      </Box>
      {count === dashboard.incidentsCount && dashboard.exercisesCount > 0 && (
        <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 1, mt: 1, fontWeight: 600 }}>
          <SchoolRounded />
          {text('dashboard.exercises', { smart_count: dashboard.exercisesCount })}
        </Box>
      )}
    </>
  )
}

/** The organisation's state across the page, with the one button that matters. */
export function StateBanner({ dashboard }: { dashboard: Dashboard }) {
  const text = useText()
  const caller = callerOf(useSession())
  const { color, icon: Icon, count, sentence, button } = stateOf(dashboard)
  const loud = count > 0
  return (
    <Box
      component="section"
      aria-label={text('dashboard.currentState')}
      data-state={color}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 3,
        p: { xs: 2.5, sm: 4 },
        borderRadius: 1,
        border: 1,
        borderColor: loud ? `${color}.main` : 'divider',
        bgcolor: loud ? `${color}.main` : 'background.paper',
        color: loud ? `${color}.contrastText` : 'text.primary',
      }}
    >
      <Box sx={{ display: 'flex', color: loud ? 'inherit' : `${color}.main`, '& svg': { fontSize: 48 } }}>
        <Icon />
      </Box>
      <Box sx={{ flex: '1 1 260px', minWidth: 0 }}>
        <Box
          component="h2"
          sx={{
            m: 0,
            fontSize: { xs: '1.5rem', sm: '2rem' },
            lineHeight: 1.25,
            letterSpacing: '-0.01em',
            fontWeight: 600,
          }}
        >
          {text(sentence, { smart_count: count })}
        </Box>
        <Details dashboard={dashboard} count={count} />
      </Box>
      {allows(incidentsApi.list.access, caller) && (
        <Button
          component={Link}
          to={inProgressPath(dashboard)}
          size="large"
          variant={loud ? 'contained' : 'outlined'}
          sx={{
            flex: { xs: '1 1 100%', sm: 'none' },
            ...(loud && {
              bgcolor: `${color}.contrastText`,
              color: `${color}.main`,
              '&:hover': { bgcolor: `${color}.contrastText`, textDecoration: 'underline' },
            }),
          }}
        >
          {text(button)}
        </Button>
      )}
    </Box>
  )
}
