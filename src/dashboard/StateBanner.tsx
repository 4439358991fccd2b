import CrisisAlertRounded from '@mui/icons-material/CrisisAlertRounded'
import SchoolRounded from '@mui/icons-material/SchoolRounded'
import VerifiedUserRounded from '@mui/icons-material/VerifiedUserRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { CSSObject, Theme } from '@mui/material/styles'
import type { ComponentType } from 'react'
import { Link } from 'react-router-dom'

import type { Dashboard } from '#contract/dashboard/schema.ts'
import { incidentsAccess } from '#contract/incidents/access.ts'
import type { TextKey } from '#providers/i18nProvider.ts'
import { useCan } from '#providers/useCan.ts'
import { SeverityLabel } from '#src/incidents/list/SeverityLabel.tsx'
import { filledSurface, onFilledSurface, type Tone } from '#src/kit/theme/filledSurface.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

interface State {
  readonly tone: Tone
  readonly icon: ComponentType
  readonly count: number
  readonly sentence: TextKey
  readonly button: TextKey
}

/** The organisation's state: an incident outweighs an exercise (foundation §2). */
export function stateOf({ incidentsCount, exercisesCount }: Dashboard): State {
  if (incidentsCount > 0)
    return {
      tone: 'error',
      icon: CrisisAlertRounded,
      count: incidentsCount,
      sentence: 'dashboard.incidents',
      button: incidentsCount > 1 ? 'dashboard.viewIncidents' : 'dashboard.viewIncident',
    }
  if (exercisesCount > 0)
    return {
      tone: 'warning',
      icon: SchoolRounded,
      count: exercisesCount,
      sentence: 'dashboard.exercises',
      button: exercisesCount > 1 ? 'dashboard.viewExercises' : 'dashboard.viewExercise',
    }
  return {
    tone: 'success',
    icon: VerifiedUserRounded,
    count: 0,
    sentence: 'dashboard.safe',
    button: 'dashboard.viewIncidents',
  }
}

/** Path of the only incident or exercise in progress, otherwise of the list. */
export const inProgressPath = (dashboard: Dashboard): string =>
  stateOf(dashboard).count === 1 && dashboard.activeIncident
    ? `/incidents/${dashboard.activeIncident.id}`
    : '/incidents'

/** Names of incidents in progress; one sentence on a calm day. */
function Details({ dashboard, count }: { dashboard: Dashboard; count: number }) {
  const text = useText()
  const active = dashboard.activeIncident
  if (!active) return text('dashboard.safeText')
  return (
    <>
      <Box component="span" sx={{ display: 'block', overflowWrap: 'anywhere' }}>
        <SeverityLabel severity={active.severity} /> <bdi>{active.title}</bdi>
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

/** Uses the text colour of a filled surface. */
const inTone =
  (tone: Tone, calm: boolean) =>
  (theme: Theme): CSSObject => {
    const { main } = theme.vars.palette[tone]
    if (calm) return { color: main }
    return tone === 'error' ? {} : theme.applyStyles('dark', { color: main })
  }

/** The organisation's state across the page, with its main action. */
export function StateBanner({ dashboard }: { dashboard: Dashboard }) {
  const text = useText()
  const can = useCan()
  const { tone, icon: Icon, count, sentence, button } = stateOf(dashboard)
  const calm = count === 0
  return (
    <Box
      component="section"
      aria-label={text('dashboard.currentState')}
      data-tone={tone}
      sx={[
        {
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          columnGap: 3,
          rowGap: 2,
          p: { xs: 2.5, sm: 4 },
          borderRadius: 1,
        },
        calm ? { border: 1, borderColor: 'divider', bgcolor: 'background.paper' } : filledSurface(tone),
      ]}
    >
      <Box sx={[{ display: 'flex', '& svg': { fontSize: { xs: 40, sm: 48 } } }, inTone(tone, calm)]}>
        <Icon />
      </Box>
      <Box sx={{ flex: '1 1 180px', minWidth: 0 }}>
        <Box sx={{ fontSize: '0.875rem', opacity: 0.9 }}>{text('dashboard.currentState')}</Box>
        <Box
          component="h2"
          sx={[
            {
              m: 0,
              mb: 0.5,
              fontSize: { xs: '1.5rem', sm: '2rem' },
              lineHeight: 1.25,
              letterSpacing: '-0.01em',
              fontWeight: 600,
            },
            inTone(tone, calm),
          ]}
        >
          {text(sentence, { smart_count: count })}
        </Box>
        <Details dashboard={dashboard} count={count} />
      </Box>
      {can(incidentsAccess.read) && (
        <Button
          component={Link}
          to={inProgressPath(dashboard)}
          size="large"
          variant={calm ? 'outlined' : 'contained'}
          sx={[{ flex: { xs: '1 1 100%', sm: 'none' } }, !calm && onFilledSurface(tone)]}
        >
          {text(button)}
        </Button>
      )}
    </Box>
  )
}
